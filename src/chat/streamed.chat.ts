import type { ChatNotes } from './chat.notes';
import type { TellChat } from './chat.event';
import { calledBy } from './chat.reply';
import type { Turn } from './chat.turn';
import type { CallWatcher } from './tool.caller';

/** Tells of the calls of a chat while they are made. */
export class StreamedChat implements ChatNotes {
  constructor(
    private readonly tell: TellChat,
    /** What tools give is told: no guardrail has to see the answer first. */
    private readonly open: boolean,
  ) {}

  asked(): void {
    // What was said besides the calls was told as it came.
  }

  watch({ calls }: Turn, _: number, at: number): CallWatcher {
    const call = calls[at];
    return {
      began: (invocation) =>
        this.tell({ type: 'tool_call', data: calledBy(call, invocation) }),
      event: (invocation_id, { type, status, data }) => {
        if (type === 'output_text' && !this.open) return;
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
    const contents = this.open ? output : [];
    const data = { ...calledBy(calls[at], invocation), contents };
    this.tell({ type: 'tool_result', data });
  }
}
