import { applyDecorators, Controller } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { WAIT_SECONDS } from './run-request';
import { EventTicketDto } from './events/event-ticket.dto';

/** What the routes below the path of one run document alike, whatever its kind. */

/** @param owner the kind of run, as a sentence names it. */
export const ApiRunToken = (owner: string): ClassDecorator =>
  ApiHeader({
    name: 'X-Invocation-Token',
    required: false,
    description: `Alternatively the API key that created the ${owner}.`,
  });

/** A controller of routes below the path of one invocation. */
export const InvocationController = (): ClassDecorator =>
  applyDecorators(
    ApiTags('tool invocations'),
    ApiRunToken('invocation'),
    ApiParam({ name: 'id', schema: { type: 'string' } }),
    Controller('api/v1/tool-invocations/:id'),
  );

export const ApiTimeout = (): MethodDecorator =>
  ApiQuery({
    name: 'timeout',
    required: false,
    type: 'number',
    description: `Seconds, ${WAIT_SECONDS.default} by default and ${WAIT_SECONDS.most} at most. The record may be unfinished then: ask again.`,
  });

export const ApiTicket = (operationId: string): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      operationId,
      summary:
        'A ticket that opens the events without a header, for EventSource',
    }),
    ApiCreatedResponse({ type: EventTicketDto }),
  );

export const ApiEvents = (operationId: string): MethodDecorator =>
  applyDecorators(
    ApiOperation({ operationId, summary: 'Follow the events' }),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description: 'Resume after this event.',
    }),
    ApiQuery({
      name: 'ticket',
      required: false,
      type: 'string',
      description: 'Instead of a token or a key.',
    }),
    ApiNoContentResponse({ description: 'The named event was the last.' }),
  );
