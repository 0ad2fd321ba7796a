import { timingSafeEqual } from 'node:crypto';
import { Injectable, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppConfig } from '../../config/config';
import { AppError } from '../errors';
import { CallerAccess } from './caller-access';
import type { CallerIdentity, KeyHolder, RequestWithCaller } from './caller';
import { FailedLogins } from './failed-logins';
import { hashOfKey, idInKey } from './key-text';
import { isFromLoopback } from './loopback-caller';
import type { ApiKeyRule } from './requires-scope';
import { checkRoute, type RouteScope } from './scopes';
import { StoredKeys } from './stored-keys';

/** The routes of the API, and those that administrate it. */
const GUARDED = /^\/(api\/v1\/|v1\/|admin\/api\/|mcp$)/;

interface Access {
  readonly apiKey?: ApiKeyRule;
  readonly scope?: RouteScope;
}

/**
 * Identifies the caller of every request of the API before its body is read. A key that is sent must be valid and have
 * the scope of the route; `@RequiresScope()` says which, and whether a key must be sent. On a service that requires no
 * keys every caller is anonymous and sent keys are ignored.
 */
@Injectable()
export class ApiKeyGuard {
  private readonly keys: readonly (readonly [name: string, hash: Buffer])[];

  constructor(
    private readonly config: AppConfig,
    host: HttpAdapterHost,
    private readonly access: CallerAccess,
    private readonly failures: FailedLogins,
    @Optional() private readonly stored?: StoredKeys,
  ) {
    this.keys = [...config.auth.apiKeys].flatMap(([name, hashes]) =>
      hashes.map((hash) => [name, Buffer.from(hash, 'hex')] as const),
    );
    const fastify: FastifyInstance | undefined =
      host.httpAdapter?.getInstance();
    // By the matched route: a URL has many spellings.
    fastify?.addHook('onRequest', async (request, reply) => {
      const { url, config: access } = request.routeOptions;
      if (!url || !GUARDED.test(url)) return;
      const keyId = await this.check(request, access);
      if (keyId !== undefined) this.access.closeWithKey(reply, keyId);
    });
  }

  /** The caller of a request that was checked. */
  callerOf(request: FastifyRequest & RequestWithCaller): CallerIdentity {
    return request.caller ?? {};
  }

  /** Of what belongs to its caller. @throws AppError `missing_api_key` where callers cannot be told apart. */
  checkKnown(request: FastifyRequest): void {
    if (this.callerOf(request).name === undefined)
      this.checkAnonymous(request, 'always');
  }

  /**
   * Without keys every caller on the loopback is the user of this machine; elsewhere anonymous callers would see the
   * requests of each other.
   */
  isLocalUser(request: FastifyRequest): boolean {
    const { auth, http } = this.config;
    return !auth.required && http.loopback && isFromLoopback(request);
  }

  /** A response of this record ends when its owner has no valid key any more. @throws AppError `api_key_removed`. */
  checkOwner(reply: FastifyReply, name: string | undefined): void {
    this.access.checkOwner(name);
    this.access.closeWithOwner(reply, name);
  }

  /**
   * @returns the id of a stored key.
   * @throws AppError `invalid_api_key`, `rate_limited`, `insufficient_scope`, or `missing_api_key` where one is needed.
   */
  async check(
    request: FastifyRequest & RequestWithCaller,
    { apiKey, scope }: Access,
  ): Promise<string | undefined> {
    const { keyId, ...caller } = await this.identify(request);
    request.caller = caller;
    if (caller.name === undefined)
      this.checkAnonymous(request, scope === 'admin' ? 'never' : apiKey);
    // A route without a declared scope is closed to keys that have scopes.
    else if (scope !== undefined || caller.scopes !== undefined)
      checkRoute(caller.scopes, scope ?? 'admin');
    return keyId;
  }

  private checkAnonymous(
    request: FastifyRequest,
    rule: ApiKeyRule | 'never' | undefined,
  ): void {
    if (rule === undefined) return;
    if (this.config.auth.required)
      throw new AppError(
        'missing_api_key',
        'Send an API key: Authorization: Bearer <key>.',
      );
    if (rule === 'never' || (rule === 'always' && !this.isLocalUser(request)))
      throw new AppError(
        'missing_api_key',
        'This requires an API key, and this server has none configured: without keys it cannot distinguish callers.',
      );
  }

  private async identify({
    headers: { authorization },
    ip,
  }: FastifyRequest): Promise<Partial<KeyHolder>> {
    if (!this.config.auth.required || authorization === undefined) return {};
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
    const hash = hashOfKey(key);
    const found =
      this.configured(hash) ?? (await this.storedBy(idInKey(key), hash, ip));
    if (found) return found;
    await this.failures.count(ip);
    throw new AppError('invalid_api_key');
  }

  private configured(given: Buffer): Partial<KeyHolder> | undefined {
    let found: string | undefined;
    // No early exit: the response time must not reveal which key was close.
    for (const [name, hash] of this.keys) {
      if (timingSafeEqual(hash, given)) found = name;
    }
    return found === undefined
      ? undefined
      : { name: found, account: `@${found}` };
  }

  private async storedBy(
    id: string | undefined,
    hash: Buffer,
    address: string,
  ): Promise<KeyHolder | undefined> {
    if (id === undefined || !this.stored) return undefined;
    const known = this.stored.verify(id, hash);
    if (known) return known;
    // An address that fails again and again costs no further calls to Redis.
    await this.failures.check(address);
    return this.stored.lookUp(id, hash);
  }
}
