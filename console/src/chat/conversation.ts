import { api, read, uniqueKey } from '../api/client';

const PREFIX = 'sonde.chat.';
const KEY = 'Idempotency-Key';

/** A question that was answered. */
export interface Turn {
  question: string;
  answer: string;
}

/** What the record of a chat does not hold: the turns before it. Kept for the session of this tab. */
export interface Conversation {
  earlier: Turn[];
  question: string;
}

export function conversationOf(chatId: string): Conversation | undefined {
  const stored = sessionStorage.getItem(PREFIX + chatId);
  return stored === null ? undefined : (JSON.parse(stored) as Conversation);
}

/**
 * Asks in the background, so that the answer can be left and found again.
 * @param key the same for every try of one message.
 */
export async function send(
  conversation: Conversation,
  key = uniqueKey(),
): Promise<string> {
  const { earlier, question } = conversation;
  const text = (role: 'user' | 'assistant', content: string) => ({
    role,
    contents: [{ type: 'text' as const, text: content }],
  });
  const reply = await read(
    api.POST('/api/v1/chat', {
      params: { header: { [KEY]: key } },
      body: {
        message: question,
        background: true,
        ...(earlier.length > 0 && {
          messages: earlier.flatMap((turn) => [
            text('user', turn.question),
            text('assistant', turn.answer),
          ]),
        }),
      } as never,
    }),
  );
  const id = (reply as { chat_id: string }).chat_id;
  try {
    sessionStorage.setItem(PREFIX + id, JSON.stringify(conversation));
  } catch {
    // The storage of the tab is full: the chat goes on, and a reload shows its last turn alone.
  }
  return id;
}
