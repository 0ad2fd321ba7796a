import { isUtf8 } from 'node:buffer';
import type { RawBodyRequest } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
} from 'fastify';
import type { ContentTypeParserDoneFunction } from 'fastify/types/content-type-parser';
import { AppError } from '../errors';

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

/** Whatever walks a body later recurses, and must not run out of stack. */
const MAX_DEPTH = 200;

/**
 * JSON is the only body there is. An empty one is let through as `undefined`: many clients send the content type with
 * every POST and DELETE, and where a body is needed the validation says so.
 */
export function readJsonBodies(fastify: FastifyInstance): void {
  // Refuses `__proto__` and `constructor.prototype` keys.
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRoute', (route) => {
    route.bodyLimit ??= route.config?.rawBodyLimit;
  });
  const read = (
    request: RawBodyRequest<FastifyRequest>,
    bytes: Buffer,
    done: ContentTypeParserDoneFunction,
  ): void => {
    if (request.routeOptions.config.rawBodyLimit) request.rawBody = bytes;
    if (bytes.length === 0) return done(null, undefined);
    if (!isUtf8(bytes)) return done(invalidJson('The body is not UTF-8.'));
    void parse(request, bytes.toString('utf8'), (fault, value) => {
      if (fault) return done(invalidJson(NOT_JSON, fault));
      done(isDeeper(value, MAX_DEPTH) ? tooDeep() : null, value);
    });
  };
  for (const type of ['application/json', /^application\/[\w.-]+\+json/])
    fastify.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, read);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    levels === 0 ||
    Object.values(value).some((item) => isDeeper(item, levels - 1))
  );
}

function tooDeep(): AppError {
  const message = `is nested more than ${MAX_DEPTH} levels deep`;
  return new AppError('validation_failed', `The body ${message}.`, {
    errors: [{ path: '', message }],
  });
}

function invalidJson(detail: string, cause?: Error): AppError {
  return new AppError('invalid_json', detail, { cause });
}
