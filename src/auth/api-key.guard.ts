import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import { cameByLoopback } from './loopback';
import type { CallerIdentity, RequestWithCaller } from './caller';
import { API_KEY_RULE, type ApiKeyRule } from './requires-api-key';

/**
 * Finds the caller of every `/api/v1` request. A key that is sent must be right, on every route; whether one must be
 * sent says `@RequiresApiKey()`. Without configured keys everybody is anonymous and a sent key means nothing.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly keys: readonly (readonly [name: string, hash: Buffer])[];

  constructor(
    private readonly config: AppConfig,
    private readonly reflector: Reflector,
  ) {
    this.keys = [...config.auth.apiKeys].map(
      ([name, hash]) => [name, Buffer.from(hash, 'hex')] as const,
    );
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<FastifyRequest & RequestWithCaller>();
    if (!request.routeOptions.url?.startsWith('/api/v1/')) return true;
    request.caller = this.identify(request.headers.authorization);
    if (request.caller.name === undefined)
      this.refuseAnonymous(context, request);
    return true;
  }

  private identify(authorization: string | undefined): CallerIdentity {
    if (this.keys.length === 0 || authorization === undefined) return {};
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
    const given = createHash('sha256').update(key).digest();
    let found: string | undefined;
    // No early end: the time must not tell which key was near.
    for (const [name, hash] of this.keys) {
      if (timingSafeEqual(hash, given)) found = name;
    }
    if (found === undefined) throw new AppError('invalid_api_key');
    return { name: found };
  }

  private refuseAnonymous(
    context: ExecutionContext,
    request: FastifyRequest,
  ): void {
    const rule = this.reflector.getAllAndOverride<ApiKeyRule | undefined>(
      API_KEY_RULE,
      [context.getHandler(), context.getClass()],
    );
    if (rule === undefined) return;
    if (this.keys.length > 0)
      throw new AppError(
        'missing_api_key',
        'Send an API key: Authorization: Bearer <key>.',
      );
    // On a loopback everybody is the user of this machine; elsewhere one anonymous caller would see what another asked.
    const alone = this.config.http.loopback && cameByLoopback(request);
    if (rule === 'always' && !alone)
      throw new AppError(
        'missing_api_key',
        'This needs an API key, and this server has none configured: without keys it cannot tell one caller from another.',
      );
  }
}
