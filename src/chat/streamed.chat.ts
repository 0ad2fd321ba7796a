import type { Guardrails } from '../guardrails/guardrails';
import type { ChatNotes } from './chat.notes';
import type { TellChat } from './chat.event';
import { begunCall, toolCall } from './chat.reply';
import type { Turn } from './chat.turn';
import type { CallWatcher } from './tool.caller';

/** Tells of the calls of a chat while they are made. */
export class StreamedChat implements ChatNotes {
  constructor(
    private readonly tell: TellChat,
    private readonly guardrails: Pick<
      Guardrails,
      'guardsOutput' | 'guardsTool'
    >,
  ) {}

  asked(): void {
    // What was said besides the calls was told as it came.
  }

  watch({ calls }: Turn, _: number, at: number): CallWatcher {
    const call = calls[at];
    const { guardsOutput } = this.guardrails;
    // As it comes, nobody has looked at it.
    const isOpen = !guardsOutput && !this.guardrails.guardsTool(call.name);
    return {
      began: (begun) =>
        this.tell({ type: 'tool_call', data: begunCall(call, begun) }),
      event: (invocation_id, { type, status, data }) => {
        if (type === 'output_text' && !isOpen) return;
        const told = {
          call_id: call.callId,
          invocation_id,
          type,
          status,
          data: JSON.parse(data) as unknown,
        };
        this.tell({ type: 'tool_progress', data: told });
      },
    };
  }

  result({ results }: Turn, _: number, at: number): void {
    const made = results[at]!;
    if (made.outcome === 'told') return;
    // Nor at what the answer may be made of.
    const contents = this.guardrails.guardsOutput ? [] : made.output;
    const data = { ...toolCall(made), contents };
    this.tell({ type: 'tool_result', data });
  }
}
