import type { Guardrails } from '../guardrails/guardrails';
import type { ChatNotes } from './chat.notes';
import type { TellChat } from './chat.event';
import { calledBy } from './chat.reply';
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
      began: (invocation) =>
        this.tell({ type: 'tool_call', data: calledBy(call, invocation) }),
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

  result({ calls, results }: Turn, _: number, at: number): void {
    const { outcome, output, invocation } = results[at]!;
    if (outcome === 'told') return;
    // Nor at what the answer may be made of.
    const contents = this.guardrails.guardsOutput ? [] : output;
    const data = { ...calledBy(calls[at], invocation), contents };
    this.tell({ type: 'tool_result', data });
  }
}
