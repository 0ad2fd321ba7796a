import { backoff, pause } from './backoff';
import type { TurnTimeout } from '../turns/turn-timeout';
import { isFinal } from './upstream.cause';
import { UpstreamError } from './upstream.error';

const MAX_RETRIES = 2;
const FIRST_MS = 500;
const MOST_MS = 8_000;

/**
 * Repeats a call that failed for a reason that may pass. Only for calls that may be paid for twice.
 * @param mayRepeat asked when it failed: false if it must not be made again all the same.
 */
export async function withRetries<T>(
  clock: TurnTimeout,
  call: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean = () => true,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await call();
    } catch (error) {
      const ms = pauseBeforeRetry(error, retries, clock.leftMs);
      if (ms === undefined || !mayRepeat(error)) throw error;
      await pause(ms, clock.signal);
      clock.signal.throwIfAborted();
    }
  }
}

/** Undefined: the error is final, or no pause fits into the time that is left. */
export function pauseBeforeRetry(
  error: unknown,
  retries: number,
  leftMs: number,
): number | undefined {
  if (retries >= MAX_RETRIES || !mayPass(error)) return undefined;
  const { retryAfterMs } = error.fault;
  if (retryAfterMs !== undefined && retryAfterMs < leftMs) return retryAfterMs;
  const ms = backoff(retries, FIRST_MS, MOST_MS);
  return ms < leftMs ? ms : undefined;
}

/**
 * An exceeded quota answers 429 as well, but waiting does not fill it. What an endpoint has not implemented (501) does not
 * come by waiting either.
 */
function mayPass(error: unknown): error is UpstreamError {
  return (
    error instanceof UpstreamError &&
    !error.definite &&
    error.fault.status !== 501 &&
    !isFinal(error.code)
  );
}
