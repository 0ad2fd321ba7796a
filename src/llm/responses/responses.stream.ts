import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { EMPTY_DELTA, type MessageDelta } from '../../message/delta';
import { entriesIn } from '../upstream/reply.fields';
import type { DeltaEmitter } from '../turns/delta.emitter';
import type { TurnReader } from '../turns/turn.request';
import { frameError } from '../upstream/upstream.error';
import { imageIn } from './responses.output';

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

/** All texts of a turn are one part, refusals too. Images come after it, each by the index of its item. */
const ANSWER = 0;

/**
 * The texts, images and thoughts of one Responses stream as deltas that can be accumulated. Its calls come whole, in the items
 * that are done.
 */
export class ResponseDeltas {
  /** Indexes of the items that are said in between, which is thinking. */
  private readonly asides = new Set<number>();
  private thought?: string;

  /** What the event adds: `EMPTY_DELTA` if nothing, whatever its type. Never throws. */
  read(event: ResponseStreamEvent): MessageDelta {
    switch (event.type) {
      case 'response.output_item.added': {
        const { item } = event;
        const isAside = item?.type === 'message' && item.phase === 'commentary';
        if (isAside) this.asides.add(event.output_index);
        return EMPTY_DELTA;
      }
      case 'response.output_item.done': {
        const image = imageIn(event.item);
        const index = ANSWER + 1 + event.output_index;
        return image ? { contents: [{ index, ...image }] } : EMPTY_DELTA;
      }
      case 'response.output_text.delta':
        return this.asides.has(event.output_index)
          ? this.thinking(event.delta, `${event.output_index}`)
          : answer(event.delta);
      case 'response.refusal.delta':
        return answer(event.delta);
      case 'response.reasoning_summary_text.delta':
        return this.thinking(
          event.delta,
          `${event.output_index} ${event.summary_index}`,
        );
      case 'response.reasoning_text.delta':
        return this.thinking(
          event.delta,
          `${event.output_index} ${event.content_index}`,
        );
      default:
        return EMPTY_DELTA;
    }
  }

  /** A thought of its own begins after a blank line. */
  private thinking(words: unknown, thought: string): MessageDelta {
    if (typeof words !== 'string' || words === '') return EMPTY_DELTA;
    const isNext = this.thought !== undefined && this.thought !== thought;
    this.thought = thought;
    return { thinking: isNext ? `\n\n${words}` : words };
  }
}

function answer(text: unknown): MessageDelta {
  return typeof text === 'string' && text !== ''
    ? { contents: [{ index: ANSWER, type: 'text', text }] }
    : EMPTY_DELTA;
}
