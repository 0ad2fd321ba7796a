import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { EMPTY_DELTA, type MessageDelta } from '../../platform/message/delta';
import { entriesIn } from '../upstream/reply-fields';
import type { TurnReader } from '../turns/turn-request';
import type { DeltaSink } from '../turns/turn-text';
import { frameError } from '../upstream/upstream-error';
import { splitMarks, withoutMarks } from './citation-marks';
import { gapAfter } from './message-gap';
import { imageIn } from './responses-output';

/** One streamed turn over the Responses API. Its last event contains the whole response. */
export class ResponseReader implements TurnReader<
  ResponseStreamEvent,
  Response
> {
  private readonly deltas = new ResponseDeltas();
  private readonly done: ResponseOutputItem[] = [];
  private last?: ResponseStreamEvent;
  private created?: Response;
  private response?: Response;
  private text = '';
  /** It was left before its end. */
  private cut = false;

  constructor(private readonly sink: DeltaSink) {}

  take(event: ResponseStreamEvent): boolean {
    const error = frameError(event);
    if (error) throw error;
    if (this.isRepeated(event)) return false;
    switch (event.type) {
      case 'response.created':
        this.created = event.response;
        break;
      case 'response.output_item.done':
        this.done.push(event.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.response = event.response;
    }
    const delta = this.deltas.read(event);
    for (const { text = '' } of delta.contents ?? []) this.text += text;
    if (!this.sink.emit(delta)) {
      this.cut = true;
      this.response = this.cutResponse();
    }
    return this.reply() !== null;
  }

  get reported(): Response | undefined {
    return this.cut ? undefined : (this.response ?? undefined);
  }

  /** Some gateways omit the output from the whole response: the completed items replace it. */
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

  /** What has arrived, as a response whose output was limited. */
  private cutResponse(): Response {
    const content = [{ type: 'output_text', text: this.text, annotations: [] }];
    const others = this.done.filter((item) => item?.type !== 'message');
    return {
      ...this.created,
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [...others, { type: 'message', role: 'assistant', content }],
    } as Response;
  }

  /** The sequence number alone does not identify an event: some gateways send none, or the same for all. */
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

/** All texts of a turn, refusals included, are one part. Images follow, each by the index of its item. */
const ANSWER = 0;

/**
 * The texts, images and reasoning of one Responses stream as deltas that can be accumulated. Calls are left out: they
 * arrive whole, in the completed items.
 */
export class ResponseDeltas {
  /** Indexes of the commentary items, which count as thinking. */
  private readonly commentary = new Set<number>();
  private thoughtKey?: string;
  /** The end of what was read, which may be the beginning of a mark. */
  private held = '';
  /** Before the first text of a message. */
  private gap = '';
  /** The end of the text so far. */
  private tail = '';

  /** The delta of an event: `EMPTY_DELTA` if it adds nothing or is unknown. Never throws. */
  read(event: ResponseStreamEvent): MessageDelta {
    switch (event.type) {
      case 'response.output_item.added': {
        const { item } = event;
        if (item?.type !== 'message') return EMPTY_DELTA;
        if (item.phase === 'commentary')
          this.commentary.add(event.output_index);
        else return this.beginMessage();
        return EMPTY_DELTA;
      }
      case 'response.output_item.done': {
        const image = imageIn(event.item);
        const index = ANSWER + 1 + event.output_index;
        return image ? { contents: [{ index, ...image }] } : EMPTY_DELTA;
      }
      case 'response.output_text.delta':
        return this.commentary.has(event.output_index)
          ? this.thinking(event.delta, `${event.output_index}`)
          : this.answer(event.delta);
      case 'response.refusal.delta':
        return this.answer(event.delta);
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

  /** The end of the message before is no longer the beginning of a mark. */
  private beginMessage(): MessageDelta {
    const rest = this.held;
    this.held = '';
    const delta = this.added(withoutMarks(rest));
    this.gap = gapAfter(this.tail);
    return delta;
  }

  private answer(delta: unknown): MessageDelta {
    if (typeof delta !== 'string') return EMPTY_DELTA;
    const { text, rest } = splitMarks(this.held + delta);
    this.held = rest;
    return this.added(text);
  }

  private added(plain: string): MessageDelta {
    if (plain === '') return EMPTY_DELTA;
    const text = this.gap + plain;
    this.gap = '';
    this.tail = (this.tail + text).slice(-2);
    return { contents: [{ index: ANSWER, type: 'text', text }] };
  }

  /** A blank line separates two thoughts. */
  private thinking(text: unknown, thoughtKey: string): MessageDelta {
    if (typeof text !== 'string' || text === '') return EMPTY_DELTA;
    const isNext =
      this.thoughtKey !== undefined && this.thoughtKey !== thoughtKey;
    this.thoughtKey = thoughtKey;
    return { thinking: isNext ? `\n\n${text}` : text };
  }
}
