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
import { ownTurn } from './own-turn';

/** What bodies may take: one of them, and all together. */
export interface BodySettings {
  readonly bytes: number;
  readonly memoryBytes: number;
  readonly timeoutMs: number;
}

const NOT_JSON =
  'The body is not valid JSON. (The keys __proto__ and constructor.prototype are refused.)';

declare module 'fastify' {
  interface FastifyContextConfig {
    rawBodyLimit?: number;
  }
}

/** Keeps the bytes of the body as `rawBody` of the request, for what is signed, and takes no more than `limit` of them. */
export const KeepRawBody = (limit: number): MethodDecorator =>
  RouteConfig({ rawBodyLimit: limit } satisfies FastifyContextConfig);

/** Parsing more bytes than this takes a turn of the event loop of its own. */
const LARGE = 64 * 1024;

/**
 * JSON is the only body there is. An empty one passes as `undefined`: many clients send the content type with every POST
 * and DELETE, and where a body is needed the validation says so.
 */
export function readJsonBodies(
  fastify: FastifyInstance,
  { bytes, memoryBytes, timeoutMs }: BodySettings,
): void {
  const memory = new BodyMemory(memoryBytes);
  // Refuses `__proto__` and `constructor.prototype` keys.
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  const toValue = (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    if (!isUtf8(body)) throw invalidJson('The body is not UTF-8.');
    return new Promise((resolve, reject) => {
      void parse(request, body.toString('utf8'), (fault, value) =>
        fault ? reject(invalidJson(NOT_JSON, fault)) : resolve(value),
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
      if (body.length === 0) return undefined;
      if (body.length <= LARGE) return await toValue(request, body);
      await ownTurn();
      const value = await toValue(request, body);
      await ownTurn();
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
