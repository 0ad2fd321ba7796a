import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import type { Response } from 'openai/resources/responses/responses';
import { Caller, type CallerIdentity } from '../../../platform/auth/caller';
import type { RouteScope } from '../../../platform/auth/scopes';
import { whileWanted } from '../../../runs/http/run-reply';
import { Shutdown } from '../../../platform/http/shutdown';
import { OpenAiRefusal } from '../../../platform/http/openai/openai-error';
import { isFinal } from '../../../runs/record/run';
import { RunsService } from '../../../runs/runs.service';
import { ProjectedRuns } from '../projection/projected-runs';
import { listed } from './input-list';
import { OwnedResponses } from './owned-responses';
import { ResponseDelivery } from './response-delivery';

const access = (scope: RouteScope) =>
  RouteConfig({
    scope,
    apiKey: 'always',
    checksOrigin: true,
  } satisfies FastifyContextConfig);

/** For how long a cancellation waits for the end, which a worker brings about a moment later. */
const CANCEL_WAIT_MS = 10_000;

/** Routes of one response, whatever door its run was begun at. */
@ApiExcludeController()
@Controller('v1/responses/:id')
export class ResponseController {
  constructor(
    private readonly responses: OwnedResponses,
    private readonly delivery: ResponseDelivery,
    private readonly projected: ProjectedRuns,
    private readonly runs: RunsService,
    private readonly shutdown: Shutdown,
  ) {}

  @Get()
  @access('read')
  async get(
    @Param('id') id: string,
    @Caller() caller: CallerIdentity,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Response | undefined> {
    const record = await this.responses.open(id, caller);
    const include = readInclude(query);
    if (query.stream !== 'true')
      return this.delivery.shown(record, reply, include);
    const after = readCursor(query.starting_after);
    await this.delivery.admit(caller, reply);
    const form = await this.projected.responseForm(record, after, include);
    await this.delivery.stream(record, form, request, reply);
    return undefined;
  }

  @Post('cancel')
  @HttpCode(200)
  @access('tools')
  async cancel(
    @Param('id') id: string,
    @Caller() caller: CallerIdentity,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Response> {
    let record = await this.responses.open(id, caller);
    if (!isFinal(record.status)) {
      record = await this.runs.cancel(record);
      const wanted = whileWanted(request, reply, this.shutdown);
      record = await this.runs.wait(record.id, CANCEL_WAIT_MS, wanted);
    }
    return this.delivery.shown(record, reply);
  }

  @Delete()
  @access('tools')
  async remove(@Param('id') id: string, @Caller() caller: CallerIdentity) {
    await this.runs.remove(await this.responses.open(id, caller));
    return { id, object: 'response', deleted: true };
  }

  @Get('input_items')
  @access('read')
  async inputItems(
    @Param('id') id: string,
    @Caller() caller: CallerIdentity,
    @Query() query: Record<string, unknown>,
  ) {
    const run = await this.projected.shown(
      await this.responses.open(id, caller),
    );
    return listed(run.request.input, query);
  }
}

/** Programs write lists in queries in two ways. */
function readInclude(query: Record<string, unknown>): string[] {
  return [query.include ?? [], query['include[]'] ?? []]
    .flat()
    .filter((name) => typeof name === 'string');
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
