import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTracing, type TracedRequest, traceRequest } from './tracing';

/** Not probes, the dashboard or the docs. */
const TRACED = /^\/((admin\/)?api\/|mcp$)/;

/** Makes a span of each request of the API, which is part of the caller's trace if the caller names one. */
export function traceRequests(fastify: FastifyInstance): void {
  if (!isTracing()) return;
  const requests = new WeakMap<FastifyRequest, TracedRequest>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const { method } = request;
    const { url: route = '' } = request.routeOptions;
    const { traceparent } = request.headers;
    const span = TRACED.test(route)
      ? traceRequest(
          typeof traceparent === 'string' ? traceparent : undefined,
          `${method} ${route}`,
          { method, route },
        )
      : undefined;
    if (!span) return done();
    requests.set(request, span);
    // Also of a client that disconnects.
    reply.raw.once('close', () => span.end(reply.raw.statusCode));
    span.run(done);
  });
  // What follows the body, or the reply, is called by the events of the connection.
  const enter = (
    request: FastifyRequest,
    _reply: FastifyReply,
    done: () => void,
  ): void => {
    const span = requests.get(request);
    if (span) span.run(done);
    else done();
  };
  fastify.addHook('preValidation', enter);
  fastify.addHook('onResponse', enter);
}
