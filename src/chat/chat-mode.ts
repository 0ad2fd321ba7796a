import { AppError, type FieldError } from '../errors';
import { parsePrefer } from '../http/prefer';
import { readIdempotencyKey } from '../runs/http/run-request';
import type { ChatRequest } from './dto/chat.dto';

/** How a chat is to be kept on record. */
export interface ChatMode {
  /** The client does not wait. */
  background: boolean;
  key?: string;
  /** How long it waits at the most. */
  waitMs: number;
}

/**
 * Undefined: it need not be kept, for the client waits for its answer and cannot ask for it again.
 * @throws AppError `validation_failed`.
 */
export function readChatMode(
  { background = false, stream = false }: ChatRequest,
  headers: Record<string, string | undefined>,
): ChatMode | undefined {
  const prefer = parsePrefer(headers.prefer);
  const key = readIdempotencyKey(headers['idempotency-key']);
  const later = background || prefer.respondAsync;
  if (!later && key === undefined) return undefined;
  if (stream) {
    const message = 'cannot both be true: choose background or stream';
    refuse(
      background
        ? [
            { path: 'background', message },
            { path: 'stream', message },
          ]
        : [
            {
              path: 'stream',
              message:
                'cannot be true with Idempotency-Key or Prefer: respond-async; follow /events instead',
            },
          ],
    );
  }
  return { background: later, key, waitMs: readWait(headers) };
}

/** How long the client prefers to wait at the most. */
export function readWait({
  prefer,
}: Record<string, string | undefined>): number {
  return (parsePrefer(prefer).waitSeconds ?? Infinity) * 1000;
}

function refuse(errors: FieldError[]): never {
  throw new AppError('validation_failed', 'The request is not valid.', {
    errors,
  });
}
