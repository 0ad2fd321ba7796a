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
} from '../../message/delta';
import {
  argumentsIn,
  entriesIn,
  labelIn,
  textsIn,
} from '../upstream/reply.fields';
import type { DeltaEmitter } from '../turns/delta.emitter';
import type { TurnReader } from '../turns/turn.request';
import { frameError } from '../upstream/upstream.error';
import { thoughtIn } from './completions.messages';

type CallFragment = Partial<ChatCompletionChunk.Choice.Delta.ToolCall>;

interface BegunCall {
  /** The gateway's index; null if it gave none. */
  told: number | null;
  index: number;
  id?: string;
}

/** The answer is the first part, a refusal the second. */
export const ANSWER = 0;
export const REFUSAL = 1;

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

/** The chunks of one Chat Completions stream as deltas that can be accumulated. */
export class CompletionDeltas {
  private begun = false;
  private readonly calls: BegunCall[] = [];

  /** What the chunk adds: `EMPTY_DELTA` if nothing, e.g. when it brings the usage. Never throws. */
  read({ choices }: ChatCompletionChunk): MessageDelta {
    const said = choices?.[0]?.delta;
    if (!said) return EMPTY_DELTA;
    const [thinking] = thoughtIn(said);
    const contents = [
      ...textDelta(ANSWER, said.content),
      ...textDelta(REFUSAL, said.refusal),
    ];
    const tool_calls = entriesIn(said.tool_calls).flatMap((call) =>
      this.callDelta(call),
    );
    const delta: MessageDelta = {
      // Not every gateway says who speaks, but nobody else can.
      ...(!this.begun && { role: 'assistant' }),
      ...(contents.length > 0 && { contents }),
      ...(thinking && { thinking }),
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    this.begun = true;
    return delta;
  }

  private callDelta(fragment: CallFragment): ToolCallDelta | [] {
    const called = fragment.function;
    if (!called) return [];
    const id = labelIn(fragment.id);
    const name = labelIn(called.name);
    const begun = this.begunCall(fragment.index, id, name);
    const call = begun ?? this.beginCall(fragment.index, id);
    call.id ??= id;
    const args = called.arguments;
    return {
      index: call.index,
      ...(!begun && { type: 'function' }),
      ...(id && { id }),
      function: {
        ...(name && { name }),
        ...(args != null && { arguments: argumentsIn(args) }),
      },
    };
  }

  /**
   * The call that a fragment goes on with. Some gateways give no index, or 0 to every call, and send each call whole:
   * then a name without an index, or a name with another id, begins a call of its own.
   */
  private begunCall(
    told: number | undefined,
    id: string | undefined,
    name: string | undefined,
  ): BegunCall | undefined {
    if (!Number.isInteger(told)) return name ? undefined : this.calls.at(-1);
    const call = this.calls.findLast((begun) => begun.told === told);
    const other = name && id && call?.id && id !== call.id;
    return other ? undefined : call;
  }

  private beginCall(told: number | undefined, id?: string): BegunCall {
    const taken = this.calls.map(({ index }) => index);
    const given = told !== undefined && Number.isInteger(told) ? told : null;
    const index =
      given === null || taken.includes(given)
        ? Math.max(-1, ...taken) + 1
        : given;
    const call = { told: given, index, id };
    this.calls.push(call);
    return call;
  }
}

function textDelta(index: number, content: unknown): PartDelta[] {
  const text = textsIn(content).join('');
  return text ? [{ index, type: 'text', text }] : [];
}
