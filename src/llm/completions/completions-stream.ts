import type {
  ChatCompletion,
  ChatCompletionChunk,
} from 'openai/resources/chat/completions';
import {
  accumulate,
  EMPTY_DELTA,
  inOrder,
  type MessageDelta,
  type PartDelta,
  type ToolCallDelta,
} from '../../platform/message/delta';
import {
  argumentsIn,
  entriesIn,
  labelIn,
  textsIn,
} from '../upstream/reply-fields';
import type { TurnReader } from '../turns/turn-request';
import type { DeltaSink } from '../turns/turn-text';
import { frameError } from '../upstream/upstream-error';
import { reasoningIn } from './completions-messages';

type CallFragment = Partial<ChatCompletionChunk.Choice.Delta.ToolCall>;

interface OpenCall {
  /** The index that the gateway sent; null if it sent none. */
  sentIndex: number | null;
  index: number;
  id?: string;
}

/** The answer is the first part, a refusal the second. */
export const ANSWER = 0;
export const REFUSAL = 1;

/** One streamed turn over Chat Completions. A `finish_reason` ends it; its usage may arrive later. */
export class CompletionReader implements TurnReader<
  ChatCompletionChunk,
  ChatCompletion
> {
  private readonly deltas = new CompletionDeltas();
  private sum = EMPTY_DELTA;
  private envelope: Partial<Pick<ChatCompletion, 'id' | 'model' | 'usage'>> =
    {};
  /** It was left before its end. */
  private cut = false;
  private finish?: ChatCompletion.Choice['finish_reason'];

  constructor(private readonly sink: DeltaSink) {}

  take(chunk: ChatCompletionChunk): boolean {
    const error = frameError(chunk);
    if (error) throw error;
    const delta = this.deltas.read(chunk);
    this.sum = accumulate(this.sum, delta);
    const { id, model, usage } = chunk;
    this.envelope = {
      ...this.envelope,
      ...(id && { id }),
      ...(model && { model }),
      ...(usage && { usage }),
    };
    this.finish ??= entriesIn(chunk.choices)[0]?.finish_reason ?? undefined;
    if (!this.sink.emit(delta)) {
      this.cut = true;
      this.finish = 'length';
      return true;
    }
    return this.finish !== undefined && this.envelope.usage !== undefined;
  }

  get reported(): Partial<ChatCompletion> | undefined {
    const { envelope, finish, cut } = this;
    return (finish && !cut) || envelope.usage ? envelope : undefined;
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
      tool_calls: tool_calls.map(({ id, function: fn }) => ({
        id,
        type: 'function',
        function: fn,
      })),
    };
    const choice = { index: 0, finish_reason: this.finish, message };
    return { ...this.envelope, choices: [choice] } as unknown as ChatCompletion;
  }
}

/** The chunks of one Chat Completions stream as deltas that can be accumulated. */
export class CompletionDeltas {
  private started = false;
  private readonly calls: OpenCall[] = [];

  /** The delta of a chunk: `EMPTY_DELTA` if it adds nothing, e.g. only the usage. Never throws. */
  read({ choices }: ChatCompletionChunk): MessageDelta {
    const fields = choices?.[0]?.delta;
    if (!fields) return EMPTY_DELTA;
    const [thinking] = reasoningIn(fields);
    const contents = [
      ...textDelta(ANSWER, fields.content),
      ...textDelta(REFUSAL, fields.refusal),
    ];
    const tool_calls = entriesIn(fields.tool_calls).flatMap((call) =>
      this.callDelta(call),
    );
    const delta: MessageDelta = {
      // Not every gateway sends the role, but it is always the assistant.
      ...(!this.started && { role: 'assistant' }),
      ...(contents.length > 0 && { contents }),
      ...(thinking && { thinking }),
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    this.started = true;
    return delta;
  }

  private callDelta(fragment: CallFragment): ToolCallDelta | [] {
    const fn = fragment.function;
    if (!fn) return [];
    const id = labelIn(fragment.id);
    const name = labelIn(fn.name);
    const open = this.openCall(fragment.index, id, name);
    const call = open ?? this.startCall(fragment.index, id);
    call.id ??= id;
    const args = fn.arguments;
    return {
      index: call.index,
      ...(!open && { type: 'function' }),
      ...(id && { id }),
      function: {
        ...(name && { name }),
        ...(args != null && { arguments: argumentsIn(args) }),
      },
    };
  }

  /**
   * The call that a fragment continues. Some gateways send each call whole, without an index or with 0 for every call: then
   * a name without an index, or a name with another id, starts a new call.
   */
  private openCall(
    sentIndex: number | undefined,
    id: string | undefined,
    name: string | undefined,
  ): OpenCall | undefined {
    if (!Number.isInteger(sentIndex))
      return name ? undefined : this.calls.at(-1);
    const call = this.calls.findLast((open) => open.sentIndex === sentIndex);
    const other = name && id && call?.id && id !== call.id;
    return other ? undefined : call;
  }

  private startCall(sentIndex: number | undefined, id?: string): OpenCall {
    const used = this.calls.map(({ index }) => index);
    const validIndex =
      sentIndex !== undefined && Number.isInteger(sentIndex) ? sentIndex : null;
    const index =
      validIndex === null || used.includes(validIndex)
        ? Math.max(-1, ...used) + 1
        : validIndex;
    const call = { sentIndex: validIndex, index, id };
    this.calls.push(call);
    return call;
  }
}

function textDelta(index: number, content: unknown): PartDelta[] {
  const text = textsIn(content).join('');
  return text ? [{ index, type: 'text', text }] : [];
}
