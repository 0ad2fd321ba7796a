import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { RawBodyRequest } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
} from 'fastify';
import { AppError } from '../../errors';
import { BodyMemory } from './body-memory';
import { readBody } from './body-reader';
import { yieldToEventLoop } from './event-loop';

/** Limits of request bodies: of each one, and of all together. */
export interface BodySettings {
  readonly bytes: number;
  /** Of all bodies in progress. */
  readonly memoryBytes: number;
  readonly timeoutMs: number;
}

const NOT_JSON =
  'The body is not valid JSON. (The keys __proto__ and constructor.prototype are refused.)';

declare module 'fastify' {
  interface FastifyContextConfig {
    rawBodyLimit?: number;
  }
  interface FastifyRequest {
    /** Of a body that came without `Content-Length`. */
    undeclaredBytes?: number;
  }
}

/** Stores the bytes of the body as `rawBody` of the request, as a signature check needs them, with a limit of its own. */
export const KeepRawBody = (limit: number): MethodDecorator =>
  RouteConfig({ rawBodyLimit: limit } satisfies FastifyContextConfig);

/** A body above this size is parsed in a turn of the event loop of its own. */
const LARGE_BODY_BYTES = 64 * 1024;

/**
 * Accepts JSON only. An empty body is passed as `undefined`: many clients send the content type with every POST and
 * DELETE, and the validation reports a missing body where one is required.
 */
export function readJsonBodies(
  fastify: FastifyInstance,
  { bytes, memoryBytes, timeoutMs }: BodySettings,
): void {
  const memory = new BodyMemory(memoryBytes);
  // Rejects the keys `__proto__` and `constructor.prototype`.
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  const toValue = (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    if (!isUtf8(body)) throw invalidJson('The body is not UTF-8.');
    return new Promise((resolve, reject) => {
      void parse(request, body.toString('utf8'), (error, value) =>
        error ? reject(invalidJson(NOT_JSON, error)) : resolve(value),
      );
    });
  };
  const read = async (
    request: RawBodyRequest<FastifyRequest>,
    stream: Readable,
  ): Promise<unknown> => {
    const { rawBodyLimit } = request.routeOptions.config;
    const limits = { bytes: rawBodyLimit ?? bytes, timeoutMs };
    const declared = Number(request.headers['content-length']);
    const share = memory.share();
    try {
      const body = await readBody(stream, declared, limits, share);
      if (rawBodyLimit) request.rawBody = body;
      if (Number.isNaN(declared)) request.undeclaredBytes = body.length;
      if (body.length === 0) return undefined;
      if (body.length <= LARGE_BODY_BYTES) return await toValue(request, body);
      await yieldToEventLoop();
      const value = await toValue(request, body);
      await yieldToEventLoop();
      return value;
    } finally {
      share.release();
    }
  };
  for (const type of ['application/json', /^application\/[\w.-]+\+json/])
    fastify.addContentTypeParser(type, read);
}

function invalidJson(detail: string, cause?: Error): AppError {
  return new AppError('invalid_json', detail, { cause });
}
