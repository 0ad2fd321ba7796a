import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { Caller, type CallerIdentity } from '../../auth/caller';
import type { RouteScope } from '../../auth/scopes';
import { OpenAiRefusal } from '../../http/openai/openai-error';
import { OwnedResponses } from './owned.responses';
import { ResponseDelivery } from './response.delivery';

const access = (scope: RouteScope) =>
  RouteConfig({
    scope,
    apiKey: 'always',
    checksOrigin: true,
  } satisfies FastifyContextConfig);

/** Routes of one response, whatever door its run was begun at. */
@ApiExcludeController()
@Controller('v1/responses/:id')
export class ResponseController {
  constructor(
    private readonly responses: OwnedResponses,
    private readonly delivery: ResponseDelivery,
  ) {}

  @Get()
  @access('read')
  async get(
    @Param('id') id: string,
    @Caller() caller: CallerIdentity,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const record = await this.responses.open(id, caller);
    if (query.stream !== 'true') return this.delivery.send(record, reply);
    const after = readCursor(query.starting_after);
    await this.delivery.admit(caller, reply);
    await this.delivery.stream(record, after, request, reply);
  }
}

/** -1: from the start. */
function readCursor(given: unknown): number {
  if (given === undefined) return -1;
  if (typeof given === 'string' && /^\d{1,15}$/.test(given))
    return Number(given);
  throw new OpenAiRefusal(
    'invalid_value',
    "Invalid 'starting_after': it must be the sequence number of an event.",
    'starting_after',
  );
}
