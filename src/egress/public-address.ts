import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an IP address is one of the public internet. Private, loopback, link-local, shared and reserved ranges are
 * not, nor is any IPv6 form that carries an IPv4 address: it might lead to one of those.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  // What lies outside, e.g. the old ::7f00:1 for 127.0.0.1, counts as unicast as well.
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}
