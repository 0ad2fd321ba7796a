import { AppError, type FieldError } from '../platform/errors';
import { parsePrefer } from '../platform/http/headers/prefer';
import { readIdempotencyKey } from '../runs/http/run-request';
import type { ChatRequest } from './dto/chat.dto';

/** How a chat on record is requested. */
export interface ChatMode {
  /** Whether the reply is 202 at once. */
  background: boolean;
  key?: string;
  /** How long the client waits at most. */
  waitMs: number;
}

/**
 * Undefined for a chat without a record: the client waits for the reply and has no key with which to request it again.
 * @throws AppError `validation_failed`.
 */
export function readChatMode(
  { background = false, stream = false }: ChatRequest,
  headers: Record<string, string | undefined>,
): ChatMode | undefined {
  const prefer = parsePrefer(headers.prefer);
  const key = readIdempotencyKey(headers['idempotency-key']);
  const isBackground = background || prefer.respondAsync;
  if (!isBackground && key === undefined) return undefined;
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
  return { background: isBackground, key, waitMs: readWait(headers) };
}

/** The wait that the client prefers, in milliseconds. */
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
