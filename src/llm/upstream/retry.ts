import { report } from '../../platform/metrics/facts';
import { pause, pauseAfter } from '../../platform/pause';
import { isPassing, isRefusedForNow } from './endpoint-wait';
import { UpstreamError } from './upstream-error';

/** After attempts that may have been paid for. */
const MAX_RETRIES = 2;
const PACE = { firstMs: 500, maxMs: 8_000 };

/** The time that a call has left, its repetitions included. */
export interface Deadline {
  readonly leftMs: number;
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
}

/**
 * Repeats a call that failed for a reason that may be temporary: while the endpoint refuses it for now, as long as there is
 * time, else twice. Only for calls that may be paid for twice.
 * @param mayRepeat called with the error: false forbids another attempt.
 */
export async function withRetries<T>(
  deadline: Deadline,
  call: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean = () => true,
): Promise<T> {
  const beganMs = deadline.leftMs;
  for (let retries = 0, unknown = 0; ; retries += 1) {
    try {
      return await call();
    } catch (error) {
      const ms = pauseBeforeRetry(error, retries, deadline.leftMs, unknown);
      if (ms === undefined || !mayRepeat(error))
        throw isRefused(error) && retries > 0
          ? givenUp(error, beganMs - deadline.leftMs)
          : error;
      if (!isRefused(error)) unknown += 1;
      await pause(ms, deadline.signal);
      deadline.signal.throwIfAborted();
      report('upstream_retried', { code: codeOf(error) });
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof UpstreamError ? error.code : '';
}

/**
 * Undefined if the error is final, or no pause fits into the time that is left.
 * @param retries so far. @param unknown how many of them followed an attempt of unknown effect.
 */
export function pauseBeforeRetry(
  error: unknown,
  retries: number,
  leftMs: number,
  unknown = retries,
): number | undefined {
  if (!(error instanceof UpstreamError) || !isPassing(error)) return undefined;
  if (unknown >= MAX_RETRIES && !isRefused(error)) return undefined;
  const { retryAfterMs: asked = 0 } = error.fault;
  const ms = pauseAfter(retries, PACE, asked < leftMs ? asked : 0);
  return ms < leftMs ? ms : undefined;
}

/** Says how long the endpoint refused, and which setting ended the wait. */
function givenUp(error: UpstreamError, ms: number): UpstreamError {
  const { code, effect, fault, message } = error;
  const waited = `It was asked again for ${Math.round(ms / 1_000)} s; RELAY_TIMEOUT_SECONDS limits the wait.`;
  return new UpstreamError(code, effect, fault, error, `${message} ${waited}`);
}

function isRefused(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && isRefusedForNow(error);
}
