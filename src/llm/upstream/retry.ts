import { isFinal } from './upstream.cause';
import { UpstreamError } from './upstream.error';

const MAX_RETRIES = 2;
const FIRST_MS = 500;
const MOST_MS = 8_000;

/** The time that a call has left, its repetitions included. */
export interface Deadline {
  readonly leftMs: number;
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
}

/**
 * Repeats a call that failed for a reason that may pass. Only for calls that may be paid for twice.
 * @param mayRepeat asked when it failed: false if it must not be made again all the same.
 */
export async function withRetries<T>(
  clock: Deadline,
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

/** A timer of Node that is set to more than this fires at once. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/** A delay that came from outside, as one that a timer keeps: never less than none, never so long that it is none. */
export function timerMs(ms: number): number {
  return ms > 0 ? Math.min(ms, MOST_TIMER_MS) : 0;
}

/** Waits `ms`; ends early, without an error, when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, timerMs(ms));
    signal.addEventListener('abort', done);
  });
}

/** Milliseconds before try number `attempt` (from 0): doubling from `first` to `most`, less up to a quarter at random. */
export function backoff(attempt: number, first: number, most: number): number {
  return Math.min(first * 2 ** attempt, most) * (1 - Math.random() / 4);
}
