import type {
  ChatCompletion,
  ChatCompletionChunk,
} from 'openai/resources/chat/completions';
import { accumulate, EMPTY_DELTA, inOrder } from '../../message/delta';
import { entriesIn } from '../turns/assistant.message';
import { ANSWER, CompletionDeltas, REFUSAL } from './completions.deltas';
import type { DeltaEmitter } from '../turns/delta.emitter';
import type { TurnReader } from '../turns/turn.request';
import { frameError } from '../upstream/upstream.error';

/** One streamed turn over Chat Completions. It is at its end when it says why; its usage may come after that. */
export class CompletionReader implements TurnReader<
  ChatCompletionChunk,
  ChatCompletion
> {
  private readonly deltas = new CompletionDeltas();
  private sum = EMPTY_DELTA;
  private about: Partial<Pick<ChatCompletion, 'id' | 'usage'>> = {};
  private finish?: ChatCompletion.Choice['finish_reason'];

  constructor(private readonly telling: DeltaEmitter) {}

  take(chunk: ChatCompletionChunk): boolean {
    const error = frameError(chunk);
    if (error) throw error;
    const delta = this.deltas.read(chunk);
    this.sum = accumulate(this.sum, delta);
    const { id, usage } = chunk;
    this.about = { ...this.about, ...(id && { id }), ...(usage && { usage }) };
    this.finish ??= entriesIn(chunk.choices)[0]?.finish_reason ?? undefined;
    this.telling.take(delta);
    return this.finish !== undefined && this.about.usage !== undefined;
  }

  reply(): ChatCompletion | null {
    if (!this.finish) return null;
    const { contents, tool_calls } = inOrder(this.sum);
    const textAt = (at: number) =>
      contents.find(({ index }) => index === at)?.text ?? null;
    const message = {
      role: 'assistant',
      content: textAt(ANSWER),
      refusal: textAt(REFUSAL),
      reasoning: this.sum.thinking,
      tool_calls: tool_calls.map(({ id, function: called }) => ({
        id,
        type: 'function',
        function: called,
      })),
    };
    const choice = { index: 0, finish_reason: this.finish, message };
    return { ...this.about, choices: [choice] } as unknown as ChatCompletion;
  }
}
