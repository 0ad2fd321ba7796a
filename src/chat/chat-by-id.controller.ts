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
  ApiExtraModels,
  ApiOkResponse,
  ApiParam,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequiresScope } from '../platform/auth/requires-scope';
import { Shutdown } from '../platform/http/shutdown';
import { sendEventStream } from '../platform/http/sse';
import { endsAt } from '../runs/http/events/event-frames';
import { EventTickets } from '../runs/http/events/event-ticket';
import {
  EventTicketDto,
  toTicketDto,
} from '../runs/http/events/event-ticket.dto';
import { isFinal } from '../runs/record/run';
import type { RunRecord } from '../runs/record/run-record';
import { whileWanted } from '../runs/http/run-reply';
import { readCursor, readTimeout } from '../runs/http/run-request';
import { Run } from '../runs/http/run.guard';
import {
  ApiRunToken,
  ApiTimeout,
  ApiTicket,
  ApiEvents,
} from '../runs/http/run-routes';
import { RunsService } from '../runs/runs.service';
import { recordFrames } from './stream/chat-frames';
import { CHAT_EVENT_STREAM } from './stream/chat-event.schema';
import { ANSWERS_EXAMPLES, APPROVALS_EXAMPLES } from './dto/chat-examples';
import { ChatSubmitter } from './background/chat-submitter';
import { ChatDto, ToolResultDto } from './dto/chat-response.dto';
import { chatView } from './loop/chat-view';
import { AnswersDto, ApprovalsDto } from './dto/decision.dto';

@ApiTags('chat')
@ApiRunToken('chat')
@ApiParam({ name: 'chat_id', schema: { type: 'string' } })
@Controller('api/v1/chat/:chat_id')
export class ChatByIdController {
  constructor(
    private readonly chats: ChatSubmitter,
    private readonly invocations: RunsService,
    private readonly tickets: EventTickets,
    private readonly shutdown: Shutdown,
  ) {}

  @Get()
  @RequiresScope('read')
  @ApiOperation({
    operationId: 'Chats_get',
    summary: 'Read a chat that is on record',
  })
  async get(@Run() record: RunRecord): Promise<ChatDto> {
    return chatView(record);
  }

  @Get('wait')
  @RequiresScope('read')
  @ApiTimeout()
  @ApiOperation({
    operationId: 'Chats_wait',
    summary:
      'Wait until the chat has ended or requires an action, at most `timeout` seconds',
  })
  async wait(
    @Run() record: RunRecord,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query('timeout') timeout?: string,
  ): Promise<ChatDto> {
    const timeoutMs = readTimeout(timeout);
    const waiting = whileWanted(request, reply, this.shutdown);
    return chatView(await this.invocations.wait(record.id, timeoutMs, waiting));
  }

  @Post('ticket')
  @RequiresScope('read')
  @ApiTicket('Chats_ticket')
  async ticket(@Run() record: RunRecord): Promise<EventTicketDto> {
    return toTicketDto(await this.tickets.issue(record));
  }

  @Get('events')
  @RequiresScope('read')
  @ApiEvents('Chats_events')
  @ApiExtraModels(ToolResultDto)
  @ApiOkResponse({
    description:
      'From the first event, then live: `status`, `delta`, `tool_call`, `tool_progress`, `tool_result`, `handoff` and `requires_action`; ' +
      '`completed` or `error` is the last.',
    content: CHAT_EVENT_STREAM,
  })
  async events(
    @Run() record: RunRecord,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('last_event_id') query?: string,
  ): Promise<void> {
    const cursor = readCursor(lastEventId, query);
    // 204 stops an EventSource from reconnecting.
    if (endsAt(record, cursor)) return void reply.code(204).send();
    const wanted = whileWanted(request, reply, this.shutdown);
    const frames = recordFrames(this.invocations, record, cursor, wanted);
    await sendEventStream(request, reply, frames, {
      signal: this.shutdown.signal,
    });
  }

  @Post('approvals')
  @RequiresScope('chat')
  @ApiBody({ type: ApprovalsDto, examples: APPROVALS_EXAMPLES })
  @HttpCode(202)
  @ApiOperation({
    operationId: 'Chats_approve',
    summary: 'Approve or refuse pending calls; the chat then continues',
  })
  @ApiAcceptedResponse({ type: ChatDto })
  async approve(
    @Run() record: RunRecord,
    @Body() { approvals }: ApprovalsDto,
  ): Promise<ChatDto> {
    const decisions = approvals.map(({ call_id, approve, reason }) => ({
      call_id,
      decision: { approve, ...(reason && { reason }) },
    }));
    return chatView(await this.chats.decide(record, decisions, 'approvals'));
  }

  @Post('answers')
  @RequiresScope('chat')
  @ApiBody({ type: AnswersDto, examples: ANSWERS_EXAMPLES })
  @HttpCode(202)
  @ApiOperation({
    operationId: 'Chats_answer',
    summary: 'Answer the questions of the model; the chat then continues',
  })
  @ApiAcceptedResponse({ type: ChatDto })
  async answer(
    @Run() record: RunRecord,
    @Body() { answers }: AnswersDto,
  ): Promise<ChatDto> {
    const decisions = answers.map(({ call_id, answer }) => ({
      call_id,
      decision: { answer },
    }));
    return chatView(await this.chats.decide(record, decisions, 'answers'));
  }

  @Post('cancel')
  @RequiresScope('chat')
  @ApiOperation({
    operationId: 'Chats_cancel',
    summary: 'Cancel a chat and the runs of its tools',
  })
  @ApiAcceptedResponse({ type: ChatDto })
  @ApiOkResponse({ type: ChatDto, description: 'The chat had already ended.' })
  async cancel(
    @Run() record: RunRecord,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChatDto> {
    const hadEnded = isFinal(record.status);
    reply.code(hadEnded ? 200 : 202);
    return chatView(hadEnded ? record : await this.invocations.cancel(record));
  }

  @Delete()
  @RequiresScope('chat')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'Chats_remove',
    summary: 'Delete a chat; a running one is cancelled',
  })
  async remove(@Run() record: RunRecord): Promise<void> {
    await this.invocations.remove(record);
  }
}
