import {
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, type CallerIdentity } from '../auth/caller';
import { AppConfig } from '../config/config';
import { Shutdown } from '../http/shutdown';
import { sendEventStream } from '../http/sse';
import { eventFrames } from './event.frames';
import { isFinal } from './invocation';
import { InvocationDto, toInvocationDto } from './invocation.dto';
import { whileWanted } from './invocation.reply';
import { readCursor, readTimeout } from './invocation.request';
import { ToolInvocationsService } from './tool-invocations.service';

const TOKEN = 'x-invocation-token';

@ApiTags('tool invocations')
@ApiHeader({
  name: 'X-Invocation-Token',
  required: false,
  description: 'Or the API key that submitted it.',
})
@Controller('api/v1/tool-invocations/:id')
export class InvocationController {
  constructor(
    private readonly invocations: ToolInvocationsService,
    private readonly config: AppConfig,
    private readonly shutdown: Shutdown,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Read the record' })
  async get(
    @Param('id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Caller() caller: CallerIdentity,
  ): Promise<InvocationDto> {
    return toInvocationDto(await this.invocations.open(id, caller, token));
  }

  @Get('wait')
  @ApiOperation({ summary: 'Wait for the end, or for `timeout` seconds' })
  async wait(
    @Param('id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Caller() caller: CallerIdentity,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query('timeout') timeout?: string,
  ): Promise<InvocationDto> {
    const timeoutMs = readTimeout(timeout, this.config.invocations.maxWaitMs);
    const record = await this.invocations.open(id, caller, token);
    if (isFinal(record.status)) return toInvocationDto(record);
    const waiting = whileWanted(request, reply, this.shutdown);
    return toInvocationDto(await this.invocations.wait(id, timeoutMs, waiting));
  }

  @Get('events')
  @ApiOperation({ summary: 'Follow the events' })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Resume after this event.',
  })
  @ApiOkResponse({
    description: 'The event log from its start, then live.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  async events(
    @Param('id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Caller() caller: CallerIdentity,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('last_event_id') query?: string,
  ): Promise<void> {
    const cursor = readCursor(lastEventId, query);
    // Whoever must be refused is refused here, with a status code: the stream is not open yet.
    const record = await this.invocations.open(id, caller, token);
    const wanted = whileWanted(request, reply, this.shutdown);
    const frames = eventFrames(this.invocations, record, cursor, wanted);
    await sendEventStream(request, reply, frames, {
      signal: this.shutdown.signal,
    });
  }

  @Post('cancel')
  @ApiOperation({ summary: 'Stop it, the upstream work included' })
  @ApiAcceptedResponse({ type: InvocationDto })
  @ApiOkResponse({ type: InvocationDto, description: 'It had ended already.' })
  async cancel(
    @Param('id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Caller() caller: CallerIdentity,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InvocationDto> {
    const record = await this.invocations.open(id, caller, token);
    const hadEnded = isFinal(record.status);
    reply.code(hadEnded ? 200 : 202);
    return toInvocationDto(
      hadEnded ? record : await this.invocations.cancel(record),
    );
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Cancel it if needed, and forget it' })
  async remove(
    @Param('id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Caller() caller: CallerIdentity,
  ): Promise<void> {
    await this.invocations.remove(
      await this.invocations.open(id, caller, token),
    );
  }
}
