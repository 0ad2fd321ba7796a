import {
  SondeApiError,
  SondeConnectionError,
  SondeTimeoutError,
} from '../errors.js';

/**
 * Which failures a request is retried after.
 * `any`: every transient failure; for idempotent requests.
 * `deletion`: the same; after a lost reply, 404 means that an earlier attempt has deleted it.
 * `refused`: 429 or 503 with problem details and `Retry-After`, which guarantee that no work was started.
 * `limited`: 429 only, because a lost reply may have been billed.
 */
export type RetryRule = 'any' | 'deletion' | 'refused' | 'limited' | 'never';

const RETRYABLE_STATUSES = [408, 429, 500, 502, 503, 504];

/** Whether a request under `rule` that failed with `error` may be retried. */
export function mayRetry(rule: RetryRule, error: unknown): boolean {
  const isIdempotent = rule === 'any' || rule === 'deletion';
  if (!(error instanceof SondeApiError))
    return (
      isIdempotent &&
      error instanceof SondeConnectionError &&
      !(error instanceof SondeTimeoutError)
    );
  const { status, code, retry_after_seconds } = error;
  if (isIdempotent) return RETRYABLE_STATUSES.includes(status);
  if (rule === 'limited') return status === 429;
  return (
    rule === 'refused' &&
    (status === 429 || status === 503) &&
    code !== 'http_error' &&
    retry_after_seconds !== null
  );
}

/** Whether a caller that waits for work in progress should keep polling after `error`. */
export function isTransient(error: unknown): boolean {
  if (error instanceof SondeApiError)
    return RETRYABLE_STATUSES.includes(error.status) || error.status >= 500;
  return error instanceof SondeConnectionError;
}

/** Milliseconds before retry `n`, counted from 0. */
export function retryDelay(n: number, error: unknown): number {
  return retryAfterMs(error) ?? backoff(n);
}

/**
 * Like `retryDelay` for polling: the first attempt is immediate, later ones never faster than the
 * backoff, for any `Retry-After`.
 */
export function reconnectDelay(n: number, error: unknown): number {
  return Math.max(retryAfterMs(error) ?? 0, n === 0 ? 0 : backoff(n - 1));
}

/** 0.5 s, doubled up to 8 s, with up to 25% jitter so that clients do not retry simultaneously. */
export function backoff(n: number): number {
  return Math.min(8000, 500 * 2 ** n) * (0.75 + Math.random() * 0.25);
}

/** Parses `Retry-After` to seconds; null if it is missing or invalid. */
export function retryAfterSeconds(value: string | null): number | null {
  if (value === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000);
}

function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof SondeApiError)) return null;
  const seconds = error.retry_after_seconds;
  return seconds === null ? null : seconds * 1000;
}
