import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../config/addresses/loopback-address';
import { AppError } from '../errors';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The protocol of the route wants the origin checked also where keys are required. */
    checksOrigin?: boolean;
  }
}

export interface HostRules {
  /** Allowed besides the loopback names; `*` allows any. */
  readonly allowedHosts: readonly string[];
  /** Origins that may call from a browser. */
  readonly corsOrigins: readonly string[];
  /** No API key is required, so every request that reaches the port has full access. */
  readonly anonymous: boolean;
}

/**
 * Protects against requests that a web page makes a browser send. After DNS rebinding the page's own name is the
 * `Host`; an IP address as `Host` cannot be rebound. Where API keys are required a page has none, so only a configured
 * list is enforced.
 * @throws AppError `host_not_allowed`, `origin_not_allowed`.
 */
export function checkHost(
  { headers, routeOptions }: FastifyRequest,
  { allowedHosts, corsOrigins, anonymous }: HostRules,
): void {
  // Signed requests are authenticated by their signature.
  if (routeOptions.config?.rawBodyLimit !== undefined) return;
  if (allowedHosts.includes('*')) return;
  const isListed = (name: string): boolean =>
    isLoopback(name) || allowedHosts.includes(name);
  const checksName = anonymous || allowedHosts.length > 0;
  if (checksName) {
    const name = hostNameOf(headers.host ?? '');
    if (!isListed(name) && !isIP(unbracketed(name)))
      throw new AppError(
        'host_not_allowed',
        'This host name is not allowed. RELAY_ALLOWED_HOSTS lists the allowed ones.',
      );
  }
  const { origin } = headers;
  const checksOrigin = anonymous || routeOptions.config?.checksOrigin;
  if (!checksOrigin || origin === undefined || corsOrigins.includes(origin))
    return;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const isOwn = checksName && url?.host === headers.host;
  if (!url || (!isOwn && !isListed(url.hostname)))
    throw new AppError(
      'origin_not_allowed',
      'This origin is not allowed. RELAY_CORS_ORIGINS lists the allowed ones.',
    );
}

/** The host name without its port, in lower case. */
export function hostNameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}

function unbracketed(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1');
}
