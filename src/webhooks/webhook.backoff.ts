const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Before each further try; two days and a bit all in all. */
const PAUSES_MS = [
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
/** No receiver can put a try off for longer. */
const MAX_RETRY_AFTER_MS = 20 * HOUR;

export const ATTEMPTS = PAUSES_MS.length + 1;

/**
 * Milliseconds before the next try, after `failures` before the present one; undefined if that was the last.
 * @param retryAfterMs what the receiver asked for.
 */
export function pauseAfter(
  failures: number,
  retryAfterMs = 0,
): number | undefined {
  const pause = PAUSES_MS[failures];
  if (pause === undefined) return undefined;
  const spread = pause * (1 + JITTER * (2 * Math.random() - 1));
  return Math.round(
    Math.max(spread, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)),
  );
}

/** `Retry-After` in milliseconds: seconds or a date. */
export function readRetryAfter(header: unknown): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  // Date.parse makes a date of nearly anything.
  const at = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
