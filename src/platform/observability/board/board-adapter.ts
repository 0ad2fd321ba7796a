import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyPluginCallback } from 'fastify';

/** Leaves errors to the handler of the application: that of the dashboard shows their messages. */
export class BoardAdapter extends FastifyAdapter {
  override registerPlugin(): FastifyPluginCallback {
    const register = super.registerPlugin();
    return (fastify, options, done) => {
      Object.defineProperty(fastify, 'setErrorHandler', {
        value: () => fastify,
      });
      register(fastify, options, done);
    };
  }
}
