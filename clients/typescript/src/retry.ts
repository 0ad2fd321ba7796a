import {
  SondeApiError,
  SondeConnectionError,
  SondeTimeoutError,
} from './errors.js';

/**
 * After which failures a request is sent again:
 * `any` that may pass, for what does the same however often it is sent;
 * `refused`, where a problem says that nothing was begun and when to try again;
 * `limited`, only after 429, where a lost reply may have been bought.
 */
export type RetryRule = 'any' | 'refused' | 'limited' | 'never';

const PASSING = [408, 429, 500, 502, 503, 504];

/** Whether a request under `rule` that failed with `error` may be sent again. */
export function mayRetry(rule: RetryRule, error: unknown): boolean {
  if (!(error instanceof SondeApiError))
    return (
      rule === 'any' &&
      error instanceof SondeConnectionError &&
      !(error instanceof SondeTimeoutError)
    );
  const { status, code, retry_after_seconds } = error;
  if (rule === 'any') return PASSING.includes(status);
  if (rule === 'limited') return status === 429;
  return (
    rule === 'refused' &&
    (status === 429 || status === 503) &&
    code !== 'http_error' &&
    retry_after_seconds !== null
  );
}

/** Whether who waits for something that goes on anyway should ask again after `error`. */
export function mayPass(error: unknown): boolean {
  if (error instanceof SondeApiError)
    return PASSING.includes(error.status) || error.status >= 500;
  return error instanceof SondeConnectionError;
}

/** Milliseconds before the `n`th retry, from 0. */
export function delayOf(n: number, error: unknown): number {
  return askedDelay(error) ?? backoff(n);
}

/** The same for who asks again and again, the first time at once; later not ever faster, whatever the reply asks for. */
export function delayOfReconnect(n: number, error: unknown): number {
  return Math.max(askedDelay(error) ?? 0, n === 0 ? 0 : backoff(n - 1));
}

/** 0.5 s, doubled each time up to 8 s; up to a quarter less, so that not all come at once. */
export function backoff(n: number): number {
  return Math.min(8000, 500 * 2 ** n) * (0.75 + Math.random() * 0.25);
}

/** `Retry-After` in seconds, if it is one. */
export function retryAfterSeconds(value: string | null): number | null {
  if (value === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000);
}

function askedDelay(error: unknown): number | null {
  if (!(error instanceof SondeApiError)) return null;
  const seconds = error.retry_after_seconds;
  return seconds === null ? null : seconds * 1000;
}
