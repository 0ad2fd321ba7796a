import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import {
  addGrounding,
  type Grounding,
  readGrounding,
} from '../../../llm/completions/completions-citations';
import { finishOf } from '../../../llm/single-attempt/completion-reply';
import type { CompletionFinish } from '../../../llm/single-attempt/completion.types';
import { countIn } from '../../../llm/prices/amount';
import { isObject } from '../../../platform/message/call-arguments';
import { distinctSources } from '../../../platform/message/citation';
import {
  frameError,
  UpstreamError,
} from '../../../llm/upstream/upstream-error';
import { AnswerFilter } from './answer.filter';

/** A chunk of a stream, or the whole reply. */
type Frame = Record<string, unknown>;
/** Events without a sequence number are folded in the order in which they come. */
type Event = ResponseStreamEvent;

const MESSAGE = 'message';

/** Translates a run over Chat Completions into events of Responses, so that one record and one report serve both. */
export class CompletionEvents {
  private readonly filter = new AnswerFilter();
  private grounding: Grounding = {};
  private text = '';
  private refusal = '';
  private searched = false;
  private finish?: string;
  private usage?: Frame;

  constructor(
    private readonly id: string,
    private readonly model: string,
  ) {}

  /** @throws UpstreamError if the stream ends before the model has, or with an error. */
  async *of(
    chunks: AsyncIterator<ChatCompletionChunk[]>,
  ): AsyncGenerator<Event[]> {
    for (;;) {
      const { value, done } = await chunks.next();
      if (done) break;
      const events = value.flatMap((chunk) => this.take({ ...chunk }));
      if (events.length > 0) yield events;
      // Some endpoints leave the connection open after the last chunk.
      if (this.finish && this.usage) break;
    }
    if (!this.finish) throw new UpstreamError('upstream_error', 'unknown');
    yield this.end();
  }

  /** The response that a reply without a stream stands for. */
  whole(reply: unknown): Response {
    this.take(isObject(reply) ? reply : {});
    this.end();
    return this.response();
  }

  private take(frame: Frame): Event[] {
    const error = frameError(frame);
    if (error) throw error;
    const [choice] = Array.isArray(frame.choices) ? frame.choices : [];
    const { delta, message, finish_reason } = objectOf(choice);
    const { content, refusal } = objectOf(delta ?? message);
    if (typeof refusal === 'string') this.refusal += refusal;
    this.grounding = addGrounding(this.grounding, frame);
    if (isObject(frame.usage)) this.usage = frame.usage;
    if (typeof finish_reason === 'string') this.finish = finish_reason;
    const text = typeof content === 'string' ? this.filter.take(content) : '';
    return [...this.searches(), ...this.deltas(text)];
  }

  private end(): Event[] {
    const events = this.deltas(this.filter.end());
    const response = this.response();
    const type = `response.${response.status as 'completed' | 'incomplete'}`;
    return [...events, { type, response } as Event];
  }

  private deltas(delta: string): Event[] {
    if (delta === '') return [];
    this.text += delta;
    const at = { item_id: MESSAGE, output_index: 1, content_index: 0 };
    return [{ type: 'response.output_text.delta', ...at, delta } as Event];
  }

  /** The search is one step, reported as soon as its results are known. */
  private searches(): Event[] {
    if (this.searched) return [];
    const [item] = this.searchItems();
    if (!item) return [];
    this.searched = true;
    return [
      { type: 'response.output_item.done', output_index: 0, item } as Event,
    ];
  }

  private searchItems(): ResponseOutputItem[] {
    const { sources, queries } = readGrounding(this.grounding, '');
    if (sources.length === 0 && queries.length === 0) return [];
    const found = distinctSources(sources).map((page) => ({
      type: 'url' as const,
      ...page,
    }));
    const action = { type: 'search', query: queries[0] ?? '', sources: found };
    return [
      {
        type: 'web_search_call',
        id: 'search',
        status: 'completed',
        action: { ...action, ...(queries.length > 0 && { queries }) },
      } as ResponseOutputItem,
    ];
  }

  private response(): Response {
    const { text } = this;
    const { citations } = readGrounding(this.grounding, text);
    const annotations = citations.map((citation) => ({
      type: 'url_citation' as const,
      ...citation,
    }));
    const reason = REASONS[finishOf(this.finish) ?? 'other'];
    const refused = { type: 'refusal', refusal: this.refusal };
    return {
      id: this.id,
      object: 'response',
      model: this.model,
      status: reason ? 'incomplete' : 'completed',
      incomplete_details: reason ? { reason } : null,
      error: null,
      output: [
        ...this.searchItems(),
        {
          type: 'message',
          id: MESSAGE,
          role: 'assistant',
          status: reason ? 'incomplete' : 'completed',
          content: [
            { type: 'output_text', text, annotations },
            ...(this.refusal ? [refused] : []),
          ],
        },
      ],
      ...(this.usage && { usage: usageOf(this.usage) }),
    } as unknown as Response;
  }
}

const REASONS: Partial<Record<CompletionFinish, string>> = {
  length: 'max_output_tokens',
  filtered: 'content_filter',
};

const objectOf = (value: unknown): Frame => (isObject(value) ? value : {});

function usageOf({
  cost,
  prompt_tokens,
  completion_tokens,
  total_tokens,
}: Frame): object {
  const [input, output] = [countOf(prompt_tokens), countOf(completion_tokens)];
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: countOf(total_tokens) || input + output,
    ...(cost !== undefined && { cost }),
  };
}

const countOf = (value: unknown): number => countIn(value) ?? 0;
