import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../config/loopback';
import { AppError } from '../errors';

export interface HostRules {
  /** Besides the names of the loopback; `*` is any. */
  readonly allowedHosts: readonly string[];
  /** Whole origins that may call from a browser. */
  readonly corsOrigins: readonly string[];
  /** No key is needed: what reaches the port may do everything. */
  readonly anonymous: boolean;
}

/**
 * Refuses what a web page makes a browser send in its own name. A page whose name was rebound to this machine sends that
 * name as `Host`; an address as `Host` is no name that could be rebound. Where keys are needed a page has none, so only
 * a configured list is enforced.
 * @throws AppError `host_not_allowed`, `origin_not_allowed`.
 */
export function checkHost(
  { headers, routeOptions }: FastifyRequest,
  { allowedHosts, corsOrigins, anonymous }: HostRules,
): void {
  // What is signed needs no name.
  if (routeOptions.config?.rawBodyLimit !== undefined) return;
  if (allowedHosts.includes('*')) return;
  const isListed = (name: string): boolean =>
    isLoopback(name) || allowedHosts.includes(name);
  if (anonymous || allowedHosts.length > 0) {
    const name = nameIn(headers.host ?? '');
    if (!isListed(name) && !isIP(unbracketed(name)))
      throw new AppError(
        'host_not_allowed',
        'This host name is not served. RELAY_ALLOWED_HOSTS lists those that are.',
      );
  }
  const { origin } = headers;
  if (!anonymous || origin === undefined || corsOrigins.includes(origin))
    return;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (!url || (url.host !== headers.host && !isListed(url.hostname)))
    throw new AppError(
      'origin_not_allowed',
      'Pages of this origin may not call. RELAY_CORS_ORIGINS lists those that may.',
    );
}

/** Without the port, as a URL has it. */
export function nameIn(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}

function unbracketed(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1');
}
