import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { AppError, isErrorCode } from '../../errors';
import { openAiErrorOf } from '../../http/openai/openai-error';
import type { SseFrame } from '../../http/sse';
import { codePoints } from '../../message/citation';
import type { MessageDelta } from '../../message/delta';
import type { ChatReply } from '../dto/chat-response.dto';
import type { ChatEvent } from '../stream/chat.event';
import {
  annotationsOf,
  callsOf,
  checkSuccess,
  type CompletionHead,
  contentOf,
  finishOf,
  openChatOf,
  usageOf,
} from './completion.reply';

type Delta = ChatCompletionChunk.Choice.Delta & { annotations?: object[] };
type FinishReason = ChatCompletionChunk.Choice['finish_reason'];

/** Between the texts of two turns of the model. */
const BETWEEN = '\n\n';
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
  /** The part that the last text belongs to, and what was sent of it and before it. */
  private part = -1;
  private partText = '';
  private before = '';

  constructor(
    private readonly head: CompletionHead,
    private readonly includeUsage: boolean,
  ) {}

  first(): object {
    return this.chunk({ role: 'assistant', content: '', refusal: null });
  }

  *text({ contents = [] }: MessageDelta): Generator<object> {
    for (const { index, text = '' } of contents) {
      if (text === '') continue;
      yield this.chunk({ content: this.append(index, text) });
    }
  }

  /** What is left to send of the reply: text that was no delta, calls, annotations, the reason and the usage. */
  *end(reply: ChatReply): Generator<object> {
    const content = contentOf(reply);
    const missing = this.missingOf(content, reply);
    if (missing !== '')
      yield this.chunk({ content: this.append(this.part + 1, missing) });
    const annotations = this.annotationsOf(reply, content);
    if (annotations.length > 0) yield this.chunk({ annotations });
    const tool_calls = callsOf(reply).map((call, index) => ({
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

  private append(part: number, text: string): string {
    const isNew = part !== this.part;
    const sent = this.before + this.partText;
    const gap = isNew && sent !== '' ? BETWEEN : '';
    if (isNew) {
      this.before = sent + gap;
      this.partText = '';
      this.part = part;
    }
    this.partText += text;
    return gap + text;
  }

  private missingOf(content: string, reply: ChatReply): string {
    if (content === '' || content === this.partText) return '';
    // The text beside the calls was sent as it arrived.
    const isSent = callsOf(reply).length > 0 && reply.content === this.partText;
    return isSent ? (reply.research_summary ?? '') : content;
  }

  /** Places in all that was sent as one text. */
  private annotationsOf(reply: ChatReply, content: string): object[] {
    const sent = this.before + this.partText;
    const at = sent.lastIndexOf(content);
    if (at < 0) return [];
    const shift = codePoints(sent.slice(0, at));
    return annotationsOf(reply, content).map(({ type, url_citation }) => ({
      type,
      url_citation: {
        ...url_citation,
        start_index: url_citation.start_index + shift,
        end_index: url_citation.end_index + shift,
      },
    }));
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
