import {
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
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequiresScope } from '../platform/auth/requires-scope';
import { Shutdown } from '../platform/http/shutdown';
import { sendEventStream } from '../platform/http/sse';
import { endsAt, eventFrames } from '../runs/http/events/event-frames';
import { INVOCATION_EVENT_STREAM } from '../runs/http/events/run-event.schema';
import { EventTickets } from '../runs/http/events/event-ticket';
import {
  EventTicketDto,
  toTicketDto,
} from '../runs/http/events/event-ticket.dto';
import { isFinal } from '../runs/record/run';
import { InvocationDto, toInvocationDto } from '../runs/http/run.dto';
import { whileWanted } from '../runs/http/run-reply';
import type { RunRecord } from '../runs/record/run-record';
import { readCursor, readTimeout } from '../runs/http/run-request';
import { Run } from '../runs/http/run.guard';
import {
  ApiEvents,
  InvocationController,
  ApiTicket,
  ApiTimeout,
} from '../runs/http/run-routes';
import { RunsService } from '../runs/runs.service';

@InvocationController()
export class ToolInvocationController {
  constructor(
    private readonly invocations: RunsService,
    private readonly tickets: EventTickets,
    private readonly shutdown: Shutdown,
  ) {}

  @Get()
  @RequiresScope('read')
  @ApiOperation({ operationId: 'Invocation_get', summary: 'Read the record' })
  async get(@Run() record: RunRecord): Promise<InvocationDto> {
    return toInvocationDto(record);
  }

  @Get('wait')
  @RequiresScope('read')
  @ApiTimeout()
  @ApiOperation({
    operationId: 'Invocation_wait',
    summary: 'Wait for the end, or for `timeout` seconds',
  })
  async wait(
    @Run() record: RunRecord,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query('timeout') timeout?: string,
  ): Promise<InvocationDto> {
    const timeoutMs = readTimeout(timeout);
    if (isFinal(record.status)) return toInvocationDto(record);
    const waiting = whileWanted(request, reply, this.shutdown);
    return toInvocationDto(
      await this.invocations.wait(record.id, timeoutMs, waiting),
    );
  }

  @Post('ticket')
  @RequiresScope('read')
  @ApiTicket('Invocation_ticket')
  async ticket(@Run() record: RunRecord): Promise<EventTicketDto> {
    return toTicketDto(await this.tickets.issue(record));
  }

  @Get('events')
  @RequiresScope('read')
  @ApiEvents('Invocation_events')
  @ApiOkResponse({
    description: 'The event log from its start, then live.',
    content: INVOCATION_EVENT_STREAM,
  })
  async events(
    @Run() record: RunRecord,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('last_event_id') query?: string,
  ): Promise<void> {
    const cursor = readCursor(lastEventId, query);
    // An EventSource connects again until it is answered so.
    if (endsAt(record, cursor)) return void reply.code(204).send();
    const wanted = whileWanted(request, reply, this.shutdown);
    const frames = eventFrames(this.invocations, record, cursor, wanted);
    await sendEventStream(request, reply, frames, {
      signal: this.shutdown.signal,
    });
  }

  @Post('cancel')
  @RequiresScope('tools')
  @ApiOperation({
    operationId: 'Invocation_cancel',
    summary: 'Stop it, the upstream work included',
  })
  @ApiAcceptedResponse({ type: InvocationDto })
  @ApiOkResponse({ type: InvocationDto, description: 'It had ended already.' })
  async cancel(
    @Run() record: RunRecord,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InvocationDto> {
    const hadEnded = isFinal(record.status);
    reply.code(hadEnded ? 200 : 202);
    return toInvocationDto(
      hadEnded ? record : await this.invocations.cancel(record),
    );
  }

  @Delete()
  @RequiresScope('tools')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'Invocation_remove',
    summary: 'Cancel it if needed, and forget it',
  })
  async remove(@Run() record: RunRecord): Promise<void> {
    await this.invocations.remove(record);
  }
}
