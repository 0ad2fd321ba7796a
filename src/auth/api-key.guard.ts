import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import { isFromLoopback } from './loopback-caller';
import type { CallerIdentity, RequestWithCaller } from './caller';
import type { ApiKeyRule } from './requires-api-key';

/**
 * Identifies the caller of every `/api/v1` request before its body is read. A key that is sent must be valid, on every
 * route; `@RequiresApiKey()` says whether one must be sent. Without configured keys every caller is anonymous and sent
 * keys are ignored.
 */
@Injectable()
export class ApiKeyGuard {
  private readonly keys: readonly (readonly [name: string, hash: Buffer])[];

  constructor(
    private readonly config: AppConfig,
    host: HttpAdapterHost,
  ) {
    this.keys = [...config.auth.apiKeys].flatMap(([name, hashes]) =>
      hashes.map((hash) => [name, Buffer.from(hash, 'hex')] as const),
    );
    const fastify: FastifyInstance | undefined =
      host.httpAdapter?.getInstance();
    // By the matched route: a URL has many spellings.
    fastify?.addHook('onRequest', (request, _reply, done) => {
      if (!request.routeOptions.url?.startsWith('/api/v1/')) return done();
      try {
        this.check(request, request.routeOptions.config.apiKey);
        done();
      } catch (refusal) {
        done(refusal as Error);
      }
    });
  }

  /** @throws AppError `invalid_api_key`. */
  callerOf(request: FastifyRequest & RequestWithCaller): CallerIdentity {
    request.caller ??= this.identify(request.headers.authorization);
    return request.caller;
  }

  /** @throws AppError `invalid_api_key`, or `missing_api_key` where `rule` demands one. */
  check(request: FastifyRequest, rule?: ApiKeyRule): void {
    const { name } = this.callerOf(request);
    if (name !== undefined || rule === undefined) return;
    if (this.keys.length > 0)
      throw new AppError(
        'missing_api_key',
        'Send an API key: Authorization: Bearer <key>.',
      );
    // On the loopback every caller is the user of this machine; elsewhere anonymous callers would see the requests of
    // each other.
    const isLocalUser = this.config.http.loopback && isFromLoopback(request);
    if (rule === 'always' && !isLocalUser)
      throw new AppError(
        'missing_api_key',
        'This requires an API key, and this server has none configured: without keys it cannot distinguish callers.',
      );
  }

  private identify(authorization: string | undefined): CallerIdentity {
    if (this.keys.length === 0 || authorization === undefined) return {};
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
    const given = createHash('sha256').update(key).digest();
    let found: string | undefined;
    // No early exit: the response time must not reveal which key was close.
    for (const [name, hash] of this.keys) {
      if (timingSafeEqual(hash, given)) found = name;
    }
    if (found === undefined) throw new AppError('invalid_api_key');
    return { name: found };
  }
}
