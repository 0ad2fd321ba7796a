import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an IP address is on the public internet. Private, loopback, link-local, shared and reserved ranges are not,
 * nor is any IPv6 form that carries an IPv4 address, since that may be one of those.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  // `range()` also reports deprecated forms such as ::7f00:1 for 127.0.0.1 as unicast.
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}
