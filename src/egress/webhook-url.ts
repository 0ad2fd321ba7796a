import { isIP } from 'node:net';
import { isPublicAddress } from './public-address';

/**
 * What is wrong with the URL of a webhook, e.g. `holds credentials`; undefined if nothing is. A name is not resolved
 * here: what it leads to is checked when the connection is made.
 */
export function webhookUrlFault(
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

/** `host` as a URL spells it: numeric forms of IPv4 are dotted already, IPv6 is in brackets. */
function isPrivateHost(host: string): boolean {
  const name = host.replace(/^\[|\]$|\.$/g, '');
  if (isIP(name)) return !isPublicAddress(name);
  return /(^|\.)localhost$/.test(name);
}
