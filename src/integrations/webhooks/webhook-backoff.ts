const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay before each retry; two days and a few hours in total. */
const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
];
const JITTER = 0.1;
/** The maximum delay that a receiver can request. */
const MAX_RETRY_AFTER_MS = 20 * HOUR;

export const ATTEMPTS = DELAYS_MS.length + 1;

/**
 * Milliseconds before the next attempt, after `failures` before the present one; undefined after the last.
 * @param retryAfterMs the delay that the receiver requested.
 */
export function backoffMs(
  failures: number,
  retryAfterMs = 0,
): number | undefined {
  const delay = DELAYS_MS[failures];
  if (delay === undefined) return undefined;
  const jittered = delay * (1 + JITTER * (2 * Math.random() - 1));
  return Math.round(
    Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)),
  );
}
