import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiHeader,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiParam,
  ApiQuery,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppConfig } from '../config/config';
import { Shutdown } from '../http/shutdown';
import { sendEventStream } from '../http/sse';
import { endsAt } from '../runs/events/event.frames';
import { EventTickets } from '../runs/http/event.ticket';
import { EventTicketDto, toTicketDto } from '../runs/http/event-ticket.dto';
import { isFinal } from '../runs/run';
import type { RunRecord } from '../runs/record/run.record';
import { whileWanted } from '../runs/http/run-reply';
import { readCursor, readTimeout } from '../runs/http/run-request';
import { Opened } from '../runs/http/run-access';
import { RunsService } from '../runs/runs.service';
import { recordFrames } from './stream/chat.frames';
import { ANSWERS_EXAMPLES, APPROVALS_EXAMPLES } from './dto/chat.examples';
import { ChatSubmitter } from './background/chat.submitter';
import { ChatDto } from './dto/chat-response.dto';
import { chatView } from './chat.view';
import { AnswersDto, ApprovalsDto } from './dto/decision.dto';

@ApiTags('chat')
@ApiHeader({
  name: 'X-Invocation-Token',
  required: false,
  description: 'Or the API key that began it.',
})
@ApiParam({ name: 'chat_id', schema: { type: 'string' } })
@Controller('api/v1/chat/:chat_id')
export class ChatByIdController {
  constructor(
    private readonly chats: ChatSubmitter,
    private readonly invocations: RunsService,
    private readonly tickets: EventTickets,
    private readonly config: AppConfig,
    private readonly shutdown: Shutdown,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'Chats_get',
    summary: 'Read a chat that is on record',
  })
  async get(@Opened() record: RunRecord): Promise<ChatDto> {
    return chatView(record);
  }

  @Get('wait')
  @ApiQuery({
    name: 'timeout',
    required: false,
    type: 'number',
    description: 'Seconds; more than the service waits is shortened.',
  })
  @ApiOperation({
    operationId: 'Chats_wait',
    summary:
      'Wait until it has ended or requires an action, or for `timeout` seconds',
  })
  async wait(
    @Opened() record: RunRecord,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query('timeout') timeout?: string,
  ): Promise<ChatDto> {
    const timeoutMs = readTimeout(timeout, this.config.runs.maxWaitMs);
    const waiting = whileWanted(request, reply, this.shutdown);
    return chatView(await this.invocations.wait(record.id, timeoutMs, waiting));
  }

  @Post('ticket')
  @ApiOperation({
    operationId: 'Chats_ticket',
    summary: 'A ticket that opens the events without a header, for EventSource',
  })
  @ApiCreatedResponse({ type: EventTicketDto })
  async ticket(@Opened() record: RunRecord): Promise<EventTicketDto> {
    return toTicketDto(await this.tickets.issue(record));
  }

  @Get('events')
  @ApiOperation({ operationId: 'Chats_events', summary: 'Follow the events' })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Resume after this event.',
  })
  @ApiQuery({
    name: 'ticket',
    required: false,
    type: 'string',
    description: 'Instead of a token or a key.',
  })
  @ApiNoContentResponse({ description: 'It ended with the event named.' })
  @ApiOkResponse({
    description:
      'From the start, then live: `status`, `delta`, `tool_call`, `tool_progress`, `tool_result` and `requires_action`, and ' +
      'last of all `completed` or `error`.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  async events(
    @Opened() record: RunRecord,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('last_event_id') query?: string,
  ): Promise<void> {
    const cursor = readCursor(lastEventId, query);
    // An EventSource connects again until it is answered so.
    if (endsAt(record, cursor)) return void reply.code(204).send();
    const wanted = whileWanted(request, reply, this.shutdown);
    const frames = recordFrames(this.invocations, record, cursor, wanted);
    await sendEventStream(request, reply, frames, {
      signal: this.shutdown.signal,
    });
  }

  @Post('approvals')
  @ApiBody({ type: ApprovalsDto, examples: APPROVALS_EXAMPLES })
  @HttpCode(202)
  @ApiOperation({
    operationId: 'Chats_approve',
    summary: 'Approve or refuse calls that wait for it; the chat goes on',
  })
  @ApiAcceptedResponse({ type: ChatDto })
  async approve(
    @Opened() record: RunRecord,
    @Body() { approvals }: ApprovalsDto,
  ): Promise<ChatDto> {
    const given = approvals.map(({ call_id, approve, reason }) => ({
      call_id,
      decision: { approve, ...(reason && { reason }) },
    }));
    return chatView(await this.chats.decide(record, given, 'approvals'));
  }

  @Post('answers')
  @ApiBody({ type: AnswersDto, examples: ANSWERS_EXAMPLES })
  @HttpCode(202)
  @ApiOperation({
    operationId: 'Chats_answer',
    summary: 'Answer what the model asked; the chat goes on',
  })
  @ApiAcceptedResponse({ type: ChatDto })
  async answer(
    @Opened() record: RunRecord,
    @Body() { answers }: AnswersDto,
  ): Promise<ChatDto> {
    const given = answers.map(({ call_id, answer }) => ({
      call_id,
      decision: { answer },
    }));
    return chatView(await this.chats.decide(record, given, 'answers'));
  }

  @Post('cancel')
  @ApiOperation({
    operationId: 'Chats_cancel',
    summary: 'Stop it, and what its tools do',
  })
  @ApiAcceptedResponse({ type: ChatDto })
  @ApiOkResponse({ type: ChatDto, description: 'It had ended already.' })
  async cancel(
    @Opened() record: RunRecord,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChatDto> {
    const hadEnded = isFinal(record.status);
    reply.code(hadEnded ? 200 : 202);
    return chatView(hadEnded ? record : await this.invocations.cancel(record));
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'Chats_remove',
    summary: 'Cancel it if needed, and forget it',
  })
  async remove(@Opened() record: RunRecord): Promise<void> {
    await this.invocations.remove(record);
  }
}
