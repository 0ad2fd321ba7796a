import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyPluginCallback, FastifyReply } from 'fastify';

/** Of its pages and files: nothing is loaded from elsewhere, and no other page may frame it. It sets styles of elements. */
export const BOARD_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Of its page: fonts of another site, without which it has those of the system. */
const FROM_ELSEWHERE = /<link\b[^>]*\bhref="https?:[^>]*>/g;

/**
 * Leaves errors to the handler of the application: that of the dashboard shows their messages. Its page loads nothing from
 * elsewhere.
 */
export class BoardAdapter extends FastifyAdapter {
  override registerPlugin(): FastifyPluginCallback {
    const register = super.registerPlugin();
    return (fastify, options, done) => {
      Object.defineProperty(fastify, 'setErrorHandler', {
        value: () => fastify,
      });
      fastify.addHook('onSend', async (_request, reply, payload) =>
        typeof payload === 'string' && isPage(reply)
          ? payload.replace(FROM_ELSEWHERE, '')
          : payload,
      );
      register(fastify, options, done);
    };
  }
}

function isPage(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/html');
}
