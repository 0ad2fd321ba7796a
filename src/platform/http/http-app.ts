import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import {
  type DynamicModule,
  NotFoundException,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  FastifyAdapter,
  type NestFastifyApplication,
} from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { AppConfig } from '../../config/config';
import { answerClientError } from './problems/client-error';
import { allowOrigins } from './cors';
import { checkHost, type HostRules } from './host-check';
import { locateBelow } from './headers/location';
import { MAX_BODY_BYTES } from './body/body-limits';
import { readJsonBodies } from './body/json-body';
import { sendProblem } from './problems/send-problem';
import { ProblemFilter } from './problems/problem.filter';
import { requestIdOf } from './headers/request-id';
import { logRequests } from './request-log';
import { RouteTable } from './route-table';
import { Shutdown } from './shutdown';
import { type Recogniser, toAppError } from './problems/to-app-error';
import { traceRequests } from '../tracing/request-trace';
import { RequestValidationPipe } from './validation/validation.pipe';

const HEADERS_TIMEOUT_MS = 30_000;
/** The rest of a refused request is read for this long beyond the time limit of its body. */
const REFUSED_BODY_GRACE_MS = 5_000;

export type HttpSettings = HostRules &
  Pick<AppConfig['http'], 'bodyMemoryBytes' | 'bodyTimeoutMs' | 'publicUrl'>;

/** For a service on the loopback without configuration. */
const DEFAULTS: HttpSettings = {
  allowedHosts: [],
  corsOrigins: [],
  anonymous: true,
  bodyMemoryBytes: 64 * 1024 * 1024,
  bodyTimeoutMs: 30_000,
};

/**
 * Builds the HTTP server of a module, ready to listen. Close it with `closeHttpApp`, which lets responses in progress
 * finish.
 * @param recognisers map errors of other rooms to codes, e.g. `[[isRedisUnavailable, 'queue_unavailable']]`.
 */
export async function createHttpApp(
  module: Type | DynamicModule,
  recognisers: readonly Recogniser[] = [],
  settings: HttpSettings = DEFAULTS,
): Promise<NestFastifyApplication> {
  const routes = new RouteTable();
  const adapter = new FastifyAdapter(<FastifyHttpOptions<Server>>{
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: settings.bodyTimeoutMs + REFUSED_BODY_GRACE_MS,
    http: {
      connectionsCheckingInterval: 5_000,
      headersTimeout: HEADERS_TIMEOUT_MS,
    },
    routerOptions: { ignoreTrailingSlash: true },
    genReqId: requestIdOf,
    // During shutdown, requests on open connections are still served, each with `Connection: close`.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket as Socket, routes),
    frameworkErrors: (thrown, _request, reply) => {
      const { error, status } = toAppError(thrown, recognisers);
      sendProblem(reply, error, status);
    },
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  routes.watch(fastify);
  traceRequests(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
  logRequests(fastify);
  locateBelow(fastify, settings.publicUrl);
  fastify.addHook('onRequest', (request, _reply, done) => {
    try {
      checkHost(request, settings);
      done();
    } catch (refusal) {
      done(refusal as Error);
    }
  });
  await allowOrigins(fastify, settings.corsOrigins);
  fastify.addHook('onRequest', ({ is404 }, _reply, done) => {
    // Before the body is read.
    done(is404 ? new NotFoundException() : undefined);
  });
  readJsonBodies(fastify, {
    bytes: MAX_BODY_BYTES,
    memoryBytes: settings.bodyMemoryBytes,
    timeoutMs: settings.bodyTimeoutMs,
  });
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
    // Fastify sets this only for requests that begin during shutdown; waits that began before would keep connections
    // open.
    if (signal.aborted) reply.header('connection', 'close');
    done();
  });
  return app;
}
