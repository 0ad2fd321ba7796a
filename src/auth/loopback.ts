import type { FastifyRequest } from 'fastify';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Whether a request was sent to this machine by its loopback name, which a web page with its own name in front of
 * 127.0.0.1 and a reverse proxy do not.
 */
export function cameByLoopback({
  headers,
}: Pick<FastifyRequest, 'headers'>): boolean {
  if (headers.forwarded ?? headers['x-forwarded-for']) return false;
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  return LOOPBACK.test(name);
}
