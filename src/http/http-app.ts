import type { Server } from 'node:http';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  FastifyAdapter,
  type NestFastifyApplication,
} from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import { answerClientError } from './client-error';
import { readJsonBodies } from './json-body';
import { sendProblem } from './problem';
import { ProblemFilter } from './problem.filter';
import { requestIdOf } from './request-id';
import { logRequests } from './request-log';
import { RouteTable } from './route-table';
import { Shutdown } from './shutdown';
import { type Recogniser, toAppError } from './to-app-error';
import { RequestValidationPipe } from './validation';

export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** For headers and body to arrive. A reply may take as long as it needs. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Builds the HTTP side of a module, ready to listen. Use `closeHttpApp` to end it: that lets replies under way finish.
 * @param recognisers what errors of other rooms mean, e.g. `[[isRedisUnavailable, 'queue_unavailable']]`.
 */
export async function createHttpApp(
  module: Type | DynamicModule,
  recognisers: readonly Recogniser[] = [],
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter(<FastifyHttpOptions<Server>>{
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: 5_000 },
    genReqId: requestIdOf,
    // While closing, requests on open connections are still served: each gets `Connection: close` with its reply.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (thrown, _request, reply) => {
      const { error, status } = toAppError(thrown, recognisers);
      sendProblem(reply, error, status);
    },
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  const routes = new RouteTable(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
  logRequests(fastify);
  readJsonBodies(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(
    module,
    adapter,
    {
      bodyParser: false,
      forceCloseConnections: true,
      abortOnError: false,
    },
  );
  app.useGlobalFilters(new ProblemFilter(recognisers, routes));
  app.useGlobalPipes(new RequestValidationPipe());
  const { signal } = app.get(Shutdown, { strict: false });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    // Fastify says so only to requests that begin while it closes; these have waited, and would keep it from closing.
    if (signal.aborted) reply.header('connection', 'close');
    done();
  });
  return app;
}
