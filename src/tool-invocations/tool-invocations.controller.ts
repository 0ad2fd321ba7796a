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
import { isResearch } from '../platform/auth/scopes';
import { RequiresScope } from '../platform/auth/requires-scope';
import { AppConfig } from '../config/config';
import { readForwarded } from '../platform/http/headers/headers-to-forward';
import { parsePrefer } from '../platform/http/headers/prefer';
import { patiently } from '../platform/http/patient-json';
import { Shutdown } from '../platform/http/shutdown';
import { isFinal } from '../runs/record/run';
import { InvocationDto, toInvocationDto } from '../runs/http/run.dto';
import { pageEnd } from '../runs/http/run-list.dto';
import { CallerRunsListing } from '../runs/submit/caller-runs-listing';
import {
  failedWait,
  type RunReply,
  sendInvocation,
  waitingClient,
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
import { AdoptedRuns } from '../runs/repeats/adopted-runs';
import { RunsService } from '../runs/runs.service';

@ApiTags('tool invocations')
@Controller('api/v1/tool-invocations')
export class ToolInvocationsController {
  constructor(
    private readonly invocations: RunsService,
    private readonly adopted: AdoptedRuns,
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
  ): Promise<RunReply | undefined> {
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
      metadata: body.metadata,
      caller,
      requestId: request.id,
      forwarded: readForwarded(headers, this.config.upstream.forwardedHeaders),
    };
    const submit = (own = key) =>
      this.invocations.submit(
        {
          ...submission,
          ...(own !== undefined && { idempotency: { key: own, body } }),
        },
        [...faults, ...webhookFaults],
      );
    const signal = whileWanted(request, reply, this.shutdown);
    const isAdoptable = mode === 'foreground' && isResearch(body.tool_name);
    const { record, token, replayed } =
      key === undefined && isAdoptable
        ? await this.adopted.adopt(
            {
              caller,
              client: waitingClient(reply),
              target: 'invocation',
              body,
              signal,
            },
            submit,
          )
        : await submit();
    if (replayed) reply.header('Idempotent-Replayed', 'true');
    if (mode !== 'foreground' || isFinal(record.status))
      return sendInvocation(reply, record, token, prefer.strict);
    const waitMs = (prefer.waitSeconds ?? Infinity) * 1000;
    const ended = this.invocations.wait(record.id, waitMs, signal);
    return patiently(
      reply,
      ended.then((end) => sendInvocation(reply, end, token, prefer.strict)),
      (error) => failedWait(toInvocationDto(record, token), error),
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
