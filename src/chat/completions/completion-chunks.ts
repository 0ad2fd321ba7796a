import { AppError, isErrorCode } from '../../platform/errors';
import {
  annotationsOf,
  ChunkShape,
  type CompletionHead,
  DONE,
  errorFrame,
} from '../../platform/http/openai/completion-shape';
import type { SseFrame } from '../../platform/http/sse';
import type { MessageDelta } from '../../platform/message/delta';
import { type ProgressData, progressText } from '../../runs/record/progress';
import type { ChatReply } from '../dto/chat-response.dto';
import { checkSuccess, openChatOf } from '../openai/open-chat';
import type { ChatEvent } from '../stream/chat-event';
import { ReplyText } from '../stream/reply-text';
import { finishOf, toolCallsOf } from './chat-completion';

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
          for (const data of chunks.step(event.data.data as ProgressData))
            yield { data };
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

class CompletionChunks {
  private readonly sent = new ReplyText();
  private readonly shape: ChunkShape;

  constructor(head: CompletionHead, includeUsage: boolean) {
    this.shape = new ChunkShape(head, includeUsage);
  }

  first(): object {
    return this.shape.first();
  }

  *text(delta: MessageDelta): Generator<object> {
    for (const content of this.sent.add(delta))
      yield this.shape.chunk({ content });
  }

  /** What a tool does, above all research, which takes minutes. */
  step(progress: ProgressData): Generator<object> {
    return this.shape.thought(progressText(progress));
  }

  /** What is left to send of the reply: text that was no delta, calls, annotations, the reason and the usage. */
  *end(reply: ChatReply): Generator<object> {
    const content = this.sent.rest(reply);
    if (content !== '') yield this.shape.chunk({ content });
    const annotations = annotationsOf(this.sent.citations(reply));
    if (annotations.length > 0) yield this.shape.chunk({ annotations });
    const tool_calls = toolCallsOf(reply).map((call, index) => ({
      index,
      ...call,
    }));
    if (tool_calls.length > 0) yield this.shape.chunk({ tool_calls });
    yield this.shape.chunk({}, finishOf(reply), openChatOf(reply));
    yield* this.shape.usage(reply.usage);
  }
}
