import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../auth/api-key.guard';
import { EventTickets } from './event.ticket';
import type { IdPrefix } from '../run-id';
import type { RunRecord } from '../record/run.record';
import { RunsService } from '../runs.service';

/** Every route at or below one of these is about one record. */
const PLACES: readonly [path: string, param: string, prefix: IdPrefix][] = [
  ['/api/v1/tool-invocations/:id', 'id', 'inv_'],
  ['/api/v1/chat/:chat_id', 'chat_id', 'chat_'],
];

interface RequestWithRecord {
  record?: RunRecord;
}

/** The record that a request is about: `@Opened() record: InvocationRecord`, imported as a type. */
export const Opened = createParamDecorator(
  (_: unknown, context: ExecutionContext): RunRecord =>
    context.switchToHttp().getRequest<RequestWithRecord>().record!,
);

/** Opens the record of every request that names one, or refuses the request, before its body is read. */
@Injectable()
export class RunAccess {
  constructor(
    host: HttpAdapterHost,
    private readonly guard: ApiKeyGuard,
    private readonly invocations: RunsService,
    private readonly tickets: EventTickets,
  ) {
    const fastify: FastifyInstance | undefined =
      host.httpAdapter?.getInstance();
    fastify?.addHook('onRequest', (request) => this.admit(request));
  }

  private async admit(
    request: FastifyRequest & RequestWithRecord,
  ): Promise<void> {
    const { url = '' } = request.routeOptions;
    const place = PLACES.find(
      ([path]) => url === path || url.startsWith(`${path}/`),
    );
    if (!place) return;
    const [, param, prefix] = place;
    const id = (request.params as Record<string, string>)[param];
    // There is no such path, which the router finds out later.
    if (id === '') return;
    const caller = this.guard.callerOf(request);
    const { ticket } = request.query as { ticket?: unknown };
    if (typeof ticket === 'string' && url.endsWith('/events')) {
      request.record = await this.tickets.open(id, prefix, ticket);
      return;
    }
    const token = request.headers['x-invocation-token'];
    request.record = await this.invocations.open(
      id,
      caller,
      typeof token === 'string' ? token : undefined,
      prefix,
    );
  }
}
