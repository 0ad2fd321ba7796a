import { isIP } from 'node:net';

/** Whether a host without its port is this machine itself: a name or an address, of IPv6 with its brackets or without. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (name === 'localhost' || name === '::1') return true;
  return isIP(name) === 4 && name.startsWith('127.');
}
