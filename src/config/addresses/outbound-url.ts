import { isIP } from 'node:net';
import { isPublicAddress } from './public-address';

/**
 * The reason why a URL that a caller names is refused, e.g. `holds credentials`; undefined if it is allowed. A name is
 * not resolved here: `outboundAgent` checks its addresses when it connects.
 */
export function outboundUrlFault(
  text: string,
  allowPrivate: boolean,
): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url?.protocol !== 'https:' &&
    !(allowPrivate && url?.protocol === 'http:')
  )
    return `is not an ${allowPrivate ? 'http(s)' : 'https'} URL`;
  if (url.username || url.password) return 'holds credentials';
  if (url.hash) return 'has a fragment';
  if (!allowPrivate && isPrivateHost(url.hostname))
    return 'is not at a public address';
  return undefined;
}

/** `host` as `URL` normalises it: IPv4 is dotted whatever its form was, IPv6 is in brackets. */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/^\[|\]$|\.$/g, '');
  if (isIP(name)) return !isPublicAddress(name);
  return /(^|\.)localhost$/.test(name);
}
