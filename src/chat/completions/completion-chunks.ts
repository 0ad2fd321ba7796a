import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { AppError, isErrorCode } from '../../platform/errors';
import { openAiErrorOf } from '../../platform/http/openai/openai-error';
import type { SseFrame } from '../../platform/http/sse';
import type { MessageDelta } from '../../platform/message/delta';
import { type ProgressData, progressText } from '../../runs/record/progress';
import type { ChatReply } from '../dto/chat-response.dto';
import { checkSuccess, openChatOf } from '../openai/open-chat';
import type { ChatEvent } from '../stream/chat-event';
import { ReplyText } from '../stream/reply-text';
import {
  annotationOf,
  type CompletionHead,
  finishOf,
  toolCallsOf,
  usageOf,
} from './chat-completion';

type Delta = ChatCompletionChunk.Choice.Delta & {
  annotations?: object[];
  /** Not of OpenAI: chat programs show it as the thoughts of the model. */
  reasoning_content?: string;
};
type FinishReason = ChatCompletionChunk.Choice['finish_reason'];

const DONE: SseFrame = { json: '[DONE]' };

/** The frames of a stream of completion chunks. An error is the last frame of a stream that fails. */
export async function* chunkFrames(
  events: AsyncIterable<ChatEvent>,
  head: CompletionHead,
  includeUsage: boolean,
): AsyncGenerator<SseFrame> {
  const chunks = new CompletionChunks(head, includeUsage);
  yield { data: chunks.first() };
  for await (const event of events) {
    switch (event.type) {
      case 'delta':
        for (const data of chunks.text(event.data)) yield { data };
        break;
      case 'tool_progress':
        if (event.data.type === 'progress')
          yield { data: chunks.step(event.data.data as ProgressData) };
        break;
      case 'completed':
        try {
          checkSuccess(event.data);
        } catch (error) {
          yield errorFrame(error as AppError);
          return;
        }
        for (const data of chunks.end(event.data)) yield { data };
        yield DONE;
        return;
      case 'error': {
        const { code, message } = event.data;
        const known = isErrorCode(code) ? code : 'internal_error';
        yield errorFrame(new AppError(known, message));
        return;
      }
    }
  }
}

function errorFrame(error: AppError): SseFrame {
  return { data: openAiErrorOf(error).body };
}

class CompletionChunks {
  private readonly sent = new ReplyText();

  constructor(
    private readonly head: CompletionHead,
    private readonly includeUsage: boolean,
  ) {}

  first(): object {
    return this.chunk({ role: 'assistant', content: '', refusal: null });
  }

  *text(delta: MessageDelta): Generator<object> {
    for (const content of this.sent.add(delta)) yield this.chunk({ content });
  }

  /** What a tool does, above all research, which takes minutes. */
  step(progress: ProgressData): object {
    return this.chunk({ reasoning_content: progressText(progress) });
  }

  /** What is left to send of the reply: text that was no delta, calls, annotations, the reason and the usage. */
  *end(reply: ChatReply): Generator<object> {
    const content = this.sent.rest(reply);
    if (content !== '') yield this.chunk({ content });
    const annotations = this.sent.citations(reply).map(annotationOf);
    if (annotations.length > 0) yield this.chunk({ annotations });
    const tool_calls = toolCallsOf(reply).map((call, index) => ({
      index,
      ...call,
    }));
    if (tool_calls.length > 0) yield this.chunk({ tool_calls });
    yield {
      ...this.chunk({}, finishOf(reply)),
      ...openChatOf(reply),
    };
    if (!this.includeUsage) return;
    const usage = usageOf(reply) ?? {
      prompt_tokens: 0,
      completion_tokens: 0,
      total_tokens: 0,
    };
    yield { ...this.envelope(), choices: [], usage };
  }

  private chunk(delta: Delta, finish_reason: FinishReason = null): object {
    return {
      ...this.envelope(),
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(this.includeUsage && { usage: null }),
    };
  }

  private envelope(): object {
    return { ...this.head, object: 'chat.completion.chunk' };
  }
}
