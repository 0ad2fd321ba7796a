import {
  Body,
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
import { isFinal } from '../tool-invocations/invocation';
import { whileWanted } from '../tool-invocations/invocation.reply';
import {
  readCursor,
  readTimeout,
} from '../tool-invocations/invocation.request';
import { ToolInvocationsService } from '../tool-invocations/tool-invocations.service';
import { recordFrames } from './chat.frames';
import { ChatRecords } from './chat.records';
import { ChatDto } from './chat-response.dto';
import { chatView } from './chat.view';
import { AnswersDto, ApprovalsDto } from './decision.dto';

const TOKEN = 'x-invocation-token';

@ApiTags('chat')
@ApiHeader({
  name: 'X-Invocation-Token',
  required: false,
  description: 'Or the API key that began it.',
})
@Controller('api/v1/chat/:chat_id')
export class ChatsController {
  constructor(
    private readonly chats: ChatRecords,
    private readonly invocations: ToolInvocationsService,
    private readonly config: AppConfig,
    private readonly shutdown: Shutdown,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Read a chat that is on record' })
  async get(
    @Param('chat_id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Caller() caller: CallerIdentity,
  ): Promise<ChatDto> {
    return chatView(await this.chats.open(id, caller, token));
  }

  @Get('wait')
  @ApiOperation({
    summary:
      'Wait until it has ended or requires an action, or for `timeout` seconds',
  })
  async wait(
    @Param('chat_id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Caller() caller: CallerIdentity,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query('timeout') timeout?: string,
  ): Promise<ChatDto> {
    const timeoutMs = readTimeout(timeout, this.config.invocations.maxWaitMs);
    await this.chats.open(id, caller, token);
    const waiting = whileWanted(request, reply, this.shutdown);
    return chatView(await this.invocations.wait(id, timeoutMs, waiting));
  }

  @Get('events')
  @ApiOperation({ summary: 'Follow the events' })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Resume after this event.',
  })
  @ApiOkResponse({
    description:
      'From the start, then live: `status`, `delta`, `tool_call`, `tool_progress`, `tool_result` and `requires_action`, and ' +
      'last of all `completed` or `error`.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  async events(
    @Param('chat_id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Caller() caller: CallerIdentity,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('last_event_id') query?: string,
  ): Promise<void> {
    const cursor = readCursor(lastEventId, query);
    // Whoever must be refused is refused here, with a status code: the stream is not open yet.
    const record = await this.chats.open(id, caller, token);
    const wanted = whileWanted(request, reply, this.shutdown);
    const frames = recordFrames(this.invocations, record, cursor, wanted);
    await sendEventStream(request, reply, frames, {
      signal: this.shutdown.signal,
    });
  }

  @Post('approvals')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Approve or refuse calls that wait for it; the chat goes on',
  })
  @ApiAcceptedResponse({ type: ChatDto })
  async approve(
    @Param('chat_id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Caller() caller: CallerIdentity,
    @Body() { approvals }: ApprovalsDto,
  ): Promise<ChatDto> {
    const record = await this.chats.open(id, caller, token);
    const given = approvals.map(({ call_id, approve, reason }) => ({
      call_id,
      decision: { approve, ...(reason && { reason }) },
    }));
    return chatView(await this.chats.decide(record, given, 'approvals'));
  }

  @Post('answers')
  @HttpCode(202)
  @ApiOperation({ summary: 'Answer what the model asked; the chat goes on' })
  @ApiAcceptedResponse({ type: ChatDto })
  async answer(
    @Param('chat_id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Caller() caller: CallerIdentity,
    @Body() { answers }: AnswersDto,
  ): Promise<ChatDto> {
    const record = await this.chats.open(id, caller, token);
    const given = answers.map(({ call_id, answer }) => ({
      call_id,
      decision: { answer },
    }));
    return chatView(await this.chats.decide(record, given, 'answers'));
  }

  @Post('cancel')
  @ApiOperation({ summary: 'Stop it, and what its tools do' })
  @ApiAcceptedResponse({ type: ChatDto })
  @ApiOkResponse({ type: ChatDto, description: 'It had ended already.' })
  async cancel(
    @Param('chat_id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Caller() caller: CallerIdentity,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChatDto> {
    const record = await this.chats.open(id, caller, token);
    const hadEnded = isFinal(record.status);
    reply.code(hadEnded ? 200 : 202);
    return chatView(hadEnded ? record : await this.invocations.cancel(record));
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Cancel it if needed, and forget it' })
  async remove(
    @Param('chat_id') id: string,
    @Headers(TOKEN) token: string | undefined,
    @Caller() caller: CallerIdentity,
  ): Promise<void> {
    await this.invocations.remove(await this.chats.open(id, caller, token));
  }
}
