import {
  Body,
  Controller,
  Get,
  Headers,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiDefaultResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, type CallerIdentity } from '../platform/auth/caller';
import { RequiresScope } from '../platform/auth/requires-scope';
import { AppConfig } from '../config/config';
import { readForwarded } from '../platform/http/headers-to-forward';
import { parsePrefer } from '../platform/http/prefer';
import { Shutdown } from '../platform/http/shutdown';
import { isFinal } from '../runs/record/run';
import { InvocationDto, toInvocationDto } from '../runs/http/run.dto';
import { pageEnd } from '../runs/http/run-list.dto';
import { CallerRunsListing } from '../runs/submit/caller-runs-listing';
import {
  type RunReply,
  sendInvocation,
  whileWanted,
} from '../runs/http/run-reply';
import {
  IDEMPOTENCY_KEY,
  readIdempotencyKey,
  readMode,
  readWebhook,
} from '../runs/http/run-request';
import { INVOKE_EXAMPLES } from './dto/invoke-tool-examples';
import { InvokeToolDto } from './dto/invoke-tool.dto';
import {
  InvocationListDto,
  ListInvocationsQueryDto,
} from './dto/list-invocations.dto';
import { RunsService } from '../runs/runs.service';

@ApiTags('tool invocations')
@Controller('api/v1/tool-invocations')
export class ToolInvocationsController {
  constructor(
    private readonly invocations: RunsService,
    private readonly listing: CallerRunsListing,
    private readonly shutdown: Shutdown,
    private readonly config: AppConfig,
  ) {}

  @Post()
  @RequiresScope('tools', 'if-configured')
  @ApiOperation({ summary: 'Invoke a tool' })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: IDEMPOTENCY_KEY,
    description: '1 to 255 printable characters, kept for 24 h.',
  })
  @ApiHeader({
    name: 'Prefer',
    required: false,
    description:
      '`respond-async`; `wait=N` to shorten the wait; `handling=strict` for an HTTP error if the run fails.',
  })
  @ApiBody({ type: InvokeToolDto, examples: INVOKE_EXAMPLES })
  @ApiOkResponse({ type: InvocationDto, description: 'It has ended.' })
  @ApiAcceptedResponse({
    type: InvocationDto,
    description: 'It has not ended.',
  })
  @ApiDefaultResponse({
    description:
      'With `Prefer: handling=strict`, a run that failed or was cancelled: a problem whose `invocation` is the record.',
  })
  async invoke(
    @Body() body: InvokeToolDto,
    @Caller() caller: CallerIdentity,
    @Headers() headers: Record<string, string | undefined>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RunReply> {
    const prefer = parsePrefer(headers.prefer);
    const key = readIdempotencyKey(headers['idempotency-key']);
    const { mode, args, faults } = readMode(
      body.arguments,
      prefer.respondAsync,
    );
    const { webhook, faults: webhookFaults } = readWebhook(
      body.webhook,
      caller.name,
      this.config.webhooks,
    );
    const submission = {
      tool: body.tool_name,
      arguments: args,
      webhook,
      mode,
      priority: body.priority,
      caller,
      requestId: request.id,
      forwarded: readForwarded(headers, this.config.upstream.forwardedHeaders),
      ...(key !== undefined && { idempotency: { key, body } }),
    };
    const { record, token, replayed } = await this.invocations.submit(
      submission,
      [...faults, ...webhookFaults],
    );
    if (replayed) reply.header('Idempotent-Replayed', 'true');
    if (mode !== 'foreground' || isFinal(record.status))
      return sendInvocation(reply, record, token, prefer.strict);
    const waitMs = (prefer.waitSeconds ?? Infinity) * 1000;
    const waiting = whileWanted(request, reply, this.shutdown);
    return sendInvocation(
      reply,
      await this.invocations.wait(record.id, waitMs, waiting),
      token,
      prefer.strict,
    );
  }

  @Get()
  @RequiresScope('read', 'always')
  @ApiOperation({ summary: "The caller's own invocations, newest first" })
  async list(
    @Query() query: ListInvocationsQueryDto,
    @Caller() caller: CallerIdentity,
  ): Promise<InvocationListDto> {
    const { records, nextCursor } = await this.listing.page(caller.name, query);
    return {
      data: records.map((record) => toInvocationDto(record)),
      ...pageEnd(nextCursor),
    };
  }
}
