import type { FastifyInstance } from 'fastify';

/**
 * Puts the path of the public URL before every `Location`, as a proxy that takes it away expects. It is a setting: any caller
 * can send a header such as `X-Forwarded-Prefix`.
 */
export function locateBelow(fastify: FastifyInstance, publicUrl = ''): void {
  const path = publicUrl && new URL(publicUrl).pathname.replace(/\/$/, '');
  if (!path) return;
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    const location = reply.getHeader('location');
    if (typeof location === 'string' && /^\/(?!\/)/.test(location))
      reply.header('location', path + location);
    done();
  });
}
