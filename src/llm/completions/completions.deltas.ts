import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import {
  EMPTY_DELTA,
  type MessageDelta,
  type PartDelta,
  type ToolCallDelta,
} from '../../message/delta';
import {
  argumentsIn,
  entriesIn,
  labelIn,
  textsIn,
} from '../turns/assistant.message';
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
