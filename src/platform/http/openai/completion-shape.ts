import { randomUUID } from 'node:crypto';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionMessage,
} from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { AppError } from '../../errors';
import { type Citation, shownPlaces } from '../../message/citation';
import type { SseFrame } from '../sse';
import { type OpenAiErrorBody, openAiErrorOf } from './openai-error';
import { seconds } from './response-shape';

/** What a completion and all its chunks have in common. */
export interface CompletionHead {
  id: string;
  created: number;
  model: string;
}

export type FinishReason = ChatCompletion.Choice['finish_reason'];
type Delta = ChatCompletionChunk.Choice.Delta & {
  annotations?: object[];
  /** Not of OpenAI: chat programs show it as the thoughts of the model. */
  reasoning_content?: string;
};
type Tokens = Record<
  'input_tokens' | 'output_tokens' | 'total_tokens',
  number
> | null;

/** Characters of all thoughts of a stream. */
const MAX_THOUGHTS = 100_000;

export const DONE: SseFrame = { json: '[DONE]' };

export function newHead(model: string): CompletionHead {
  return headOf(`chat_${randomUUID().replaceAll('-', '')}`, Date.now(), model);
}

/** Of a record: the same for every request that gets its reply. */
export function headOf(
  recordId: string,
  createdMs: number,
  model: string,
): CompletionHead {
  const id = recordId.replace(/^[a-z]+_/, 'chatcmpl-');
  return { id, created: seconds(createdMs), model };
}

export function completionShape(
  head: CompletionHead,
  message: Omit<ChatCompletionMessage, 'role' | 'refusal'>,
  finish_reason: FinishReason,
  tokens: Tokens | undefined,
): ChatCompletion {
  return {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', refusal: null, ...message },
        logprobs: null,
        finish_reason,
      },
    ],
    ...(tokens && { usage: completionUsage(tokens) }),
  };
}

/** A failure after the status 200 was sent: without a choice, no client takes it for an answer. */
export function failedCompletion(
  error: AppError,
  head: CompletionHead,
): ChatCompletion & OpenAiErrorBody {
  const object = 'chat.completion';
  return { ...head, object, choices: [], ...openAiErrorOf(error).body };
}

/** The last frame of a stream that fails. */
export function errorFrame(error: AppError): SseFrame {
  return { data: openAiErrorOf(error).body };
}

/** Of the places that show a source. */
export function annotationsOf(
  citations: readonly Citation[],
): ChatCompletionMessage.Annotation[] {
  return shownPlaces(citations).map(annotationOf);
}

function annotationOf({
  url,
  title,
  start_index,
  end_index,
}: Citation): ChatCompletionMessage.Annotation {
  return {
    type: 'url_citation',
    url_citation: { url, title: title || url, start_index, end_index },
  };
}

function completionUsage(tokens: Tokens): CompletionUsage {
  return {
    prompt_tokens: tokens?.input_tokens ?? 0,
    completion_tokens: tokens?.output_tokens ?? 0,
    total_tokens: tokens?.total_tokens ?? 0,
  };
}

/** The chunks of one completion. */
export class ChunkShape {
  private thoughts = 0;

  constructor(
    private readonly head: CompletionHead,
    private readonly includeUsage: boolean,
  ) {}

  first(): object {
    return this.chunk({ role: 'assistant', content: '', refusal: null });
  }

  chunk(
    delta: Delta,
    finish_reason: FinishReason | null = null,
    more?: object,
  ): object {
    return {
      ...this.envelope(),
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(this.includeUsage && { usage: null }),
      ...more,
    };
  }

  /** What is done before the answer, as far as there is room for it. */
  *thought(reasoning_content: string): Generator<object> {
    this.thoughts += reasoning_content.length;
    if (this.thoughts <= MAX_THOUGHTS) yield this.chunk({ reasoning_content });
  }

  /** After the last, where it was asked for. */
  *usage(tokens: Tokens | undefined): Generator<object> {
    if (!this.includeUsage) return;
    const usage = completionUsage(tokens ?? null);
    yield { ...this.envelope(), choices: [], usage };
  }

  private envelope(): object {
    return { ...this.head, object: 'chat.completion.chunk' };
  }
}
