import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  Optional,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../platform/auth/api-key.guard';
import type { RunRecord } from '../record/run-record';
import { type IdPrefix, notFound } from '../record/run-id';
import { RunsService } from '../runs.service';
import { EventTickets } from './events/event-ticket';
import { FollowerLimits } from './events/follower-limits';
import { OwnedRuns } from './owned-runs';

interface RequestOfRun extends FastifyRequest {
  run?: RunRecord;
}

/** The record that a request names: `@Run() record: RunRecord`, imported as a type. */
export const Run = createParamDecorator(
  (_: unknown, context: ExecutionContext): RunRecord =>
    context.switchToHttp().getRequest<RequestOfRun>().run!,
);

/** Opens the record of every request that names one, or refuses the request before its body is read. */
@Injectable()
export class RunGuard {
  private readonly routes = new Map<string, IdPrefix>();

  constructor(
    host: HttpAdapterHost,
    private readonly keys: ApiKeyGuard,
    private readonly runs: RunsService,
    private readonly tickets: EventTickets,
    private readonly owned: OwnedRuns,
    @Optional() private readonly limits?: FollowerLimits,
  ) {
    const fastify: FastifyInstance | undefined =
      host.httpAdapter?.getInstance();
    fastify?.addHook('onRequest', (request, reply, done) => {
      const { url = '' } = request.routeOptions;
      const path = /^[^:]*:[^/]+/.exec(url)?.[0] ?? '';
      const prefix = this.routes.get(path);
      if (!prefix) return done();
      this.admit(request, reply, path, prefix).then(() => done(), done);
    });
  }

  /** @param path ends with the parameter that is the id of the record; all routes below it are guarded too. */
  protect(path: string, prefix: IdPrefix): void {
    this.routes.set(path, prefix);
  }

  private async admit(
    request: RequestOfRun,
    reply: FastifyReply,
    path: string,
    prefix: IdPrefix,
  ): Promise<void> {
    await this.open(request, path, prefix);
    // Tokens and tickets of a record end with the keys of its owner.
    if (!request.run) return;
    this.keys.checkOwner(reply, request.run.caller);
    const { account } = request.run;
    // Whoever follows with a token or a ticket does so on the account of its run.
    if (account !== undefined && isEvents(request))
      await this.limits?.follow(account, reply.raw);
  }

  private async open(
    request: RequestOfRun,
    path: string,
    prefix: IdPrefix,
  ): Promise<void> {
    const param = path.slice(path.indexOf(':') + 1);
    const id = (request.params as Record<string, string>)[param];
    // There is no such path, as the router finds out later.
    if (id === '') return;
    const caller = this.keys.callerOf(request);
    const { ticket } = request.query as { ticket?: unknown };
    if (typeof ticket === 'string' && isEvents(request)) {
      request.run = await this.tickets.open(id, prefix, ticket);
      return;
    }
    const token = request.headers['x-invocation-token'];
    if (token === undefined && this.isOwnPage(request)) {
      if (!id.startsWith(prefix)) throw notFound(prefix);
      request.run = await this.owned.open(id, caller);
      return;
    }
    request.run = await this.runs.open(
      id,
      caller,
      typeof token === 'string' ? token : undefined,
      prefix,
    );
  }

  /** The console on a service without keys: browsers alone set this header, and no page of another origin can have this value. */
  private isOwnPage(request: FastifyRequest): boolean {
    const isSameOrigin = request.headers['sec-fetch-site'] === 'same-origin';
    return isSameOrigin && this.keys.isLocalUser(request);
  }
}

function isEvents({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.endsWith('/events') ?? false;
}
