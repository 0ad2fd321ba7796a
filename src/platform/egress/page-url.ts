import { isPrivateHost } from '../../config/addresses/outbound-url';

const PORTS = new Set(['', '80', '443', '8080', '8443']);
const MAX_URL_CHARS = 4_096;

/**
 * The URL to request for a page, without its fragment; undefined if it is refused. Addresses that a URL spells out are
 * checked here, those of names when `outboundAgent` connects.
 * @param allowedOrigins may be at any port and any address.
 */
export function pageUrl(
  text: string,
  allowedOrigins: readonly string[],
): URL | undefined {
  if (text.length > MAX_URL_CHARS || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.hash = '';
  if (!/^https?:$/.test(url.protocol)) return undefined;
  if (url.username || url.password) return undefined;
  if (allowedOrigins.includes(url.origin)) return url;
  return PORTS.has(url.port) && !isPrivateHost(url.hostname) ? url : undefined;
}
