import { isFinal } from './upstream.cause';
import { UpstreamError } from './upstream.error';

const MAX_RETRIES = 2;
const FIRST_MS = 500;
const MAX_MS = 8_000;

/** The time that a call has left, its repetitions included. */
export interface Deadline {
  readonly leftMs: number;
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
}

/**
 * Repeats a call that failed for a reason that may be temporary. Only for calls that may be paid for twice.
 * @param mayRepeat called with the error: false forbids another attempt.
 */
export async function withRetries<T>(
  deadline: Deadline,
  call: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean = () => true,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await call();
    } catch (error) {
      const ms = pauseBeforeRetry(error, retries, deadline.leftMs);
      if (ms === undefined || !mayRepeat(error)) throw error;
      await pause(ms, deadline.signal);
      deadline.signal.throwIfAborted();
    }
  }
}

/** Undefined if the error is final, or no pause fits into the time that is left. */
export function pauseBeforeRetry(
  error: unknown,
  retries: number,
  leftMs: number,
): number | undefined {
  if (retries >= MAX_RETRIES || !isTransient(error)) return undefined;
  const { retryAfterMs } = error.fault;
  if (retryAfterMs !== undefined && retryAfterMs < leftMs) return retryAfterMs;
  const ms = backoff(retries, FIRST_MS, MAX_MS);
  return ms < leftMs ? ms : undefined;
}

/**
 * An exceeded quota also returns 429, but waiting does not restore it. Waiting does not implement what an endpoint lacks
 * (501).
 */
function isTransient(error: unknown): error is UpstreamError {
  return (
    error instanceof UpstreamError &&
    !error.definite &&
    error.fault.status !== 501 &&
    !isFinal(error.code)
  );
}

/** Node fires a timer with a longer delay immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A delay from outside as a valid timer delay: at least 0, and short enough not to fire immediately. */
export function timerMs(ms: number): number {
  return ms > 0 ? Math.min(ms, MAX_TIMER_MS) : 0;
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

/** The delay before attempt `attempt` (from 0): doubles from `first` up to `max`, minus up to a quarter at random. */
export function backoff(attempt: number, first: number, max: number): number {
  return Math.min(first * 2 ** attempt, max) * (1 - Math.random() / 4);
}
