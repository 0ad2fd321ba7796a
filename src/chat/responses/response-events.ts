import type {
  Response,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import { AppError, isErrorCode } from '../../platform/errors';
import { MessageItem } from '../../platform/http/openai/message-item';
import type { Unnumbered } from '../../platform/http/openai/response-shape';
import type { SseFrame } from '../../platform/http/sse';
import type { MessageDelta } from '../../platform/message/delta';
import type { ChatReply } from '../dto/chat-response.dto';
import { checkSuccess } from '../openai/open-chat';
import type { ChatEvent } from '../stream/chat-event';
import { ReplyText } from '../stream/reply-text';
import {
  type CallItem,
  callItems,
  endOf,
  failed,
  finished,
  messageId,
  type ResponseHead,
  unfinished,
} from './response-reply';

/** The frames of a chat as the events of a response, numbered from 0. */
export async function* responseFrames(
  events: AsyncIterable<ChatEvent>,
  head: ResponseHead,
): AsyncGenerator<SseFrame> {
  let sequence_number = 0;
  for await (const event of eventsOf(events, head)) {
    const { type, ...data } = event;
    yield { event: type, data: { type, sequence_number, ...data } };
    sequence_number += 1;
  }
}

async function* eventsOf(
  events: AsyncIterable<ChatEvent>,
  head: ResponseHead,
): AsyncGenerator<Unnumbered> {
  const response = new ChatResponse(head);
  yield* response.begin();
  for await (const event of events) {
    switch (event.type) {
      case 'delta':
        yield* response.add(event.data);
        break;
      case 'completed':
        try {
          checkSuccess(event.data);
        } catch (error) {
          yield response.fail(error as AppError);
          return;
        }
        yield* response.end(event.data);
        return;
      case 'error': {
        const { code, message } = event.data;
        const known = isErrorCode(code) ? code : 'internal_error';
        yield response.fail(new AppError(known, message));
        return;
      }
    }
  }
}

class ChatResponse {
  private readonly sent = new ReplyText();
  private message?: MessageItem;

  constructor(private readonly head: ResponseHead) {}

  *begin(): Generator<Unnumbered> {
    const response = unfinished(this.head);
    yield { type: 'response.created', response };
    yield { type: 'response.in_progress', response };
  }

  *add(delta: MessageDelta): Generator<Unnumbered> {
    for (const text of this.sent.add(delta)) {
      const message = yield* this.opened();
      yield* message.add(text);
    }
  }

  /** What is left of the reply: text that was no delta, citations, calls, and the response. */
  *end(reply: ChatReply): Generator<Unnumbered> {
    const output: ResponseOutputItem[] = [];
    const calls = callItems(reply, this.head);
    const { status } = endOf(reply);
    const rest = this.sent.rest(reply);
    if (this.message || rest !== '' || calls.length === 0) {
      const message = yield* this.opened();
      yield* message.add(rest);
      const citations = this.sent.citations(reply);
      output.push(yield* message.complete('', citations, status));
    }
    for (const call of calls) {
      yield* callEvents(call, output.length);
      output.push(call);
    }
    const response = finished(reply, this.head, output) as Response;
    yield { type: `response.${status}`, response };
  }

  fail(error: AppError): Unnumbered {
    return { type: 'response.failed', response: failed(this.head, error) };
  }

  private *opened(): Generator<Unnumbered, MessageItem> {
    if (this.message) return this.message;
    this.message = new MessageItem(messageId(this.head), 0);
    yield* this.message.open();
    return this.message;
  }
}

function* callEvents(
  call: CallItem,
  output_index: number,
): Generator<Unnumbered> {
  const { id: item_id, arguments: args } = call;
  const open = { ...call, status: 'in_progress', arguments: '' } as const;
  yield { type: 'response.output_item.added', output_index, item: open };
  yield {
    type: 'response.function_call_arguments.delta',
    output_index,
    item_id,
    delta: args,
  };
  yield {
    type: 'response.function_call_arguments.done',
    output_index,
    item_id,
    arguments: args,
  };
  yield { type: 'response.output_item.done', output_index, item: call };
}
