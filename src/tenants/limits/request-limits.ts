import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../platform/auth/api-key.guard';
import type { LimitName } from '../../config/settings/key-limits';
import { AppError } from '../../platform/errors';
import { isRedisUnavailable } from '../../platform/redis/redis-unavailable';
import { KeyLimits, limitHit } from './account-limits';
import { RateStore, type Taken } from './rate.store';

const WINDOW_SECONDS = 60;
const COUNTED = /^\/(api\/v1\/|v1\/|mcp$)/;
const UNITS: Partial<Record<LimitName, string>> = {
  body_bytes_per_minute: ';qu="content-bytes"',
};

/**
 * Counts every request of a key before its body is read, and says in the headers what is left. Administration is not
 * counted: it can always raise a limit.
 */
@Injectable()
export class RequestLimits {
  constructor(
    host: HttpAdapterHost,
    private readonly keys: ApiKeyGuard,
    private readonly rates: RateStore,
    private readonly limits: KeyLimits,
  ) {
    const fastify: FastifyInstance | undefined =
      host.httpAdapter?.getInstance();
    // After the guard, which has identified the caller.
    fastify?.addHook('onRequest', (request, reply, done) => {
      const account = this.accountOf(request);
      if (account === undefined) return done();
      const bytes = Number(request.headers['content-length'] ?? 0);
      this.count(account, request, reply, 1, bytes).then(() => done(), done);
    });
    // A body without a declared length is counted once it has arrived.
    fastify?.addHook('preHandler', (request, reply, done) => {
      const { undeclaredBytes: bytes = 0 } = request;
      const account = bytes > 0 ? this.accountOf(request) : undefined;
      if (account === undefined) return done();
      this.count(account, request, reply, 0, bytes).then(() => done(), done);
    });
  }

  /** Undefined where nothing is counted. */
  private accountOf(request: FastifyRequest): string | undefined {
    const { url = '' } = request.routeOptions;
    if (!COUNTED.test(url)) return undefined;
    return this.keys.callerOf(request).account;
  }

  private async count(
    account: string,
    request: FastifyRequest,
    reply: FastifyReply,
    requests: number,
    bytes: number,
  ): Promise<void> {
    this.checkSize(account, bytes);
    try {
      sendHeaders(reply, await this.rates.take(account, requests, bytes));
    } catch (error) {
      // Reads that need no Redis go on during an outage.
      if (isRedisUnavailable(error) && request.method === 'GET') return;
      throw error;
    }
  }

  /** No wait makes room for a body that is larger than all of a minute. */
  private checkSize(account: string, bytes: number): void {
    const most = this.limits.of(account, 'body_bytes_per_minute');
    if (bytes > most)
      throw new AppError(
        'body_too_large',
        `The body is over the limit body_bytes_per_minute of the API key, which is ${most}.`,
      );
  }
}

/** @throws AppError `rate_limited` for what was refused. */
function sendHeaders(
  reply: FastifyReply,
  { refusedBy, waitMs, rates }: Taken,
): void {
  const policy = rates.map(
    ({ name, most }) =>
      `"${name}";q=${most};w=${WINDOW_SECONDS}${UNITS[name] ?? ''}`,
  );
  const waitSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const state = rates.map(({ name, most, left }) => {
    const untilFull = Math.ceil(((most - left) / most) * WINDOW_SECONDS);
    return `"${name}";r=${left};t=${name === refusedBy ? waitSeconds : untilFull}`;
  });
  reply.header('ratelimit-policy', policy.join(', '));
  reply.header('ratelimit', state.join(', '));
  if (refusedBy === undefined) return;
  const { most } = rates.find(({ name }) => name === refusedBy)!;
  throw limitHit(refusedBy, most, waitSeconds);
}
