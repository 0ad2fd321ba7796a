import { SondeUsageError } from '../errors.js';

/** The reason why a base URL is invalid, or null. The reason never contains the URL, which may hold a secret. */
export function invalidUrlReason(text: string): string | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'not a URL';
  }
  const { protocol, hostname, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:')
    return 'must begin with https:// or http://';
  if (protocol === 'http:' && !isLoopback(hostname))
    return 'http is allowed for loopback addresses only; use https';
  if (username || password || /[?#]/.test(text))
    return 'must not contain credentials, a query or a fragment';
  return null;
}

/** Sonde's base URL without `/api/v1`; a path prefix before it is preserved. */
export function sondeUrl(baseUrl: string): string {
  return checked(baseUrl)
    .replace(/\/api\/v1$/, '')
    .replace(/\/+$/, '');
}

/** The model endpoint's base URL with `/v1`. */
export function modelUrl(baseUrl: string): string {
  const url = checked(baseUrl);
  return url.endsWith('/v1') ? url : `${url}/v1`;
}

/** One segment of a path, escaped; `.` and `..` would refer to another resource. */
export function pathOf(name: string, id: unknown): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
    throw new SondeUsageError(`${name}: not a valid id`);
  return `/${encodeURIComponent(id)}`;
}

/** The query of a URL; empty if no field is set. */
export function searchOf(query: object): string {
  const fields = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (typeof value !== 'object') return [[name, String(value)]];
    return Object.entries(value as object).map(([key, one]) => [
      `${name}[${key}]`,
      String(one),
    ]);
  });
  const search = new URLSearchParams(fields).toString();
  return search && `?${search}`;
}

function checked(baseUrl: string): string {
  const reason = invalidUrlReason(baseUrl);
  if (reason !== null) throw new SondeUsageError(`baseUrl: ${reason}`);
  return new URL(baseUrl).href.replace(/\/+$/, '');
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
