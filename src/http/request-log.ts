import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

/** One line for every reply that was sent whole. The route's template, not its URL: that may hold ids and queries. */
export function logRequests(fastify: FastifyInstance): void {
  const log = new Logger('http');
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '(unknown)';
    if (!route.startsWith('/health/')) {
      // The files of the dashboard, and what it asks every few seconds while it is open.
      const idle = request.method === 'GET' && route.startsWith('/admin/');
      log[idle ? 'debug' : 'log']({
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      });
    }
    done();
  });
}
