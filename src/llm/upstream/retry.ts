import { report } from '../../platform/metrics/facts';
import { pause, pauseAfter } from '../../platform/pause';
import { isFinal } from './upstream-cause';
import { UpstreamError } from './upstream-error';

const MAX_RETRIES = 2;
const PACE = { firstMs: 500, maxMs: 8_000 };

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
      report('upstream_retried', { code: codeOf(error) });
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof UpstreamError ? error.code : '';
}

/** Undefined if the error is final, or no pause fits into the time that is left. */
export function pauseBeforeRetry(
  error: unknown,
  retries: number,
  leftMs: number,
): number | undefined {
  if (retries >= MAX_RETRIES || !isTransient(error)) return undefined;
  const { retryAfterMs: asked = 0 } = error.fault;
  const ms = pauseAfter(retries, PACE, asked < leftMs ? asked : 0);
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
