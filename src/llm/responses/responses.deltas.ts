import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { EMPTY_DELTA, type MessageDelta } from '../../message/delta';
import { imageIn } from './responses.output';

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
