import type { ImagePart, Message } from '../../message/message';

/** An answer in the message format. */
export function answerMessage(
  content: string,
  images: readonly ImagePart[] = [],
  thinking?: string,
): Message {
  return {
    role: 'assistant',
    contents: [{ type: 'text', text: content }, ...images],
    ...(thinking && { thinking }),
  };
}
