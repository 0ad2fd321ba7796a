import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

/** Logs one line per completed response, with the template of the route: its URL may contain ids and queries. */
export function logRequests(fastify: FastifyInstance): void {
  const log = new Logger('http');
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '(unknown)';
    if (!route.startsWith('/health/')) {
      // Static files of the dashboard, and its polling.
      const isDashboard =
        request.method === 'GET' && route.startsWith('/admin/');
      log[isDashboard ? 'debug' : 'log']({
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
