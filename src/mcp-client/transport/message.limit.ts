import { types } from 'node:util';
import { Response } from 'undici';

/** A message that is larger costs the connection: it would have to be held as a whole, and several times over. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** The words that the SDK has for it, where a program sends such a message. */
const TOO_LARGE = 'exceeded maximum size';

export function isTooLarge(error: unknown): boolean {
  return types.isNativeError(error) && error.message.includes(TOO_LARGE);
}

/**
 * The reply, whose body breaks off with an error as soon as one message of it is too large. A stream of events may be of
 * any length: each of its events is a message.
 */
export function limitMessages(reply: Response): Response {
  if (!reply.body) return reply;
  const type = reply.headers.get('content-type') ?? '';
  const isStream = type.includes('text/event-stream');
  let size = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const end = isStream ? endOfEvent(chunk) : 0;
      size = end === 0 ? size + chunk.length : chunk.length - end;
      if (size > MAX_MESSAGE_BYTES) {
        throw new Error(`The reply ${TOO_LARGE}`);
      }
      controller.enqueue(chunk);
    },
  });
  return new Response(reply.body.pipeThrough(counter), reply);
}

/** Where the last event ends, which an empty line does; 0 if none does. */
function endOfEvent(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(
    ...['\n\n', '\r\n\r\n'].map((line) => {
      const at = bytes.lastIndexOf(line);
      return at < 0 ? 0 : at + line.length;
    }),
  );
}
