import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { entriesIn } from '../turns/assistant.message';
import { ResponseDeltas } from './responses.deltas';
import type { DeltaEmitter } from '../turns/delta.emitter';
import type { TurnReader } from '../turns/turn.request';
import { frameError } from '../upstream/upstream.error';

/** One streamed turn over the Responses API. Its last event carries the whole response. */
export class ResponseReader implements TurnReader<
  ResponseStreamEvent,
  Response
> {
  private readonly deltas = new ResponseDeltas();
  private readonly done: ResponseOutputItem[] = [];
  private last?: ResponseStreamEvent;
  private response?: Response;

  constructor(private readonly telling: DeltaEmitter) {}

  take(event: ResponseStreamEvent): boolean {
    const error = frameError(event);
    if (error) throw error;
    if (this.isRepeated(event)) return false;
    switch (event.type) {
      case 'response.output_item.done':
        this.done.push(event.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.response = event.response;
    }
    this.telling.take(this.deltas.read(event));
    return this.reply() !== null;
  }

  /** Some gateways leave the output of the whole response empty. */
  reply(): Response | null {
    if (typeof this.response !== 'object' || this.response === null) {
      return null;
    }
    const output = entriesIn(this.response.output);
    return {
      ...this.response,
      output: output.length > 0 ? output : entriesIn(this.done),
    };
  }

  /** Numbers alone do not show it: some gateways give none, or the same to all. */
  private isRepeated(event: ResponseStreamEvent): boolean {
    const { sequence_number, type } = event;
    if (!Number.isInteger(sequence_number)) return false;
    const { last } = this;
    this.last = event;
    return (
      last?.sequence_number === sequence_number &&
      last.type === type &&
      deltaOf(last) === deltaOf(event)
    );
  }
}

function deltaOf(event: ResponseStreamEvent): unknown {
  return 'delta' in event ? event.delta : undefined;
}
