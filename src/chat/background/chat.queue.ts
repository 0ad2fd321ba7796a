/** The queue of chats, and the name under which their records are kept. */
export const CHAT_QUEUE = 'chats';
export const CHAT = 'chat';
