const SECOND = 1_000;

/**
 * `Retry-After` in milliseconds: seconds, also with a fraction, or an HTTP date. 0 for one that is past; undefined for what
 * is neither.
 */
export function readRetryAfter(header: unknown): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}(\.\d{1,9})?$/.test(header)) return Number(header) * SECOND;
  // Date.parse accepts nearly anything.
  const at = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
