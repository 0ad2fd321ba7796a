import { types } from 'node:util';
import { Response } from 'undici';

/** A larger message closes the connection: it would be held in memory several times. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** The text with which the SDK reports such a message of a program. */
const TOO_LARGE = 'exceeded maximum size';

export function isTooLarge(error: unknown): boolean {
  return types.isNativeError(error) && error.message.includes(TOO_LARGE);
}

/**
 * Returns the response with a body that fails as soon as one message is too large. A stream of events may have any
 * length: each event is a message.
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

/** The end of the last complete event, which is an empty line; 0 if there is none. */
function endOfEvent(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(
    ...['\n\n', '\r\n\r\n'].map((line) => {
      const at = bytes.lastIndexOf(line);
      return at < 0 ? 0 : at + line.length;
    }),
  );
}
