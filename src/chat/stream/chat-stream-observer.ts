import type { Guardrails } from '../../tools/guardrails/guardrails';
import type { EmitChatEvent } from './chat-event';
import { endedCall, startedCall } from '../turns/tool-call-view';
import { handoffMade } from '../turns/chat-agents';
import type { CallWatcher, ChatObserver } from '../turns/chat-observer';
import type { Turn } from '../turns/chat-turn';
import { isToolCall } from '../turns/tool-call';

/** Emits the events of the calls of a chat as they happen. */
export class ChatStreamObserver implements ChatObserver {
  constructor(
    private readonly emit: EmitChatEvent,
    private readonly guardrails: Pick<
      Guardrails,
      'guardsOutput' | 'guardsTool'
    >,
  ) {}

  turnTaken(): void {
    // The text of the turn was emitted as deltas.
  }

  watch({ calls }: Turn, _: number, at: number): CallWatcher {
    const call = calls[at];
    const { guardsOutput } = this.guardrails;
    // Partial output cannot be checked by a guardrail.
    const emitsText = !guardsOutput && !this.guardrails.guardsTool(call.name);
    return {
      started: (started) =>
        this.emit({ type: 'tool_call', data: startedCall(call, started) }),
      event: (invocation_id, { type, status, data }) => {
        if (type === 'output_text' && !emitsText) return;
        const progress = {
          call_id: call.callId,
          invocation_id,
          type,
          status,
          data: JSON.parse(data) as unknown,
        };
        this.emit({ type: 'tool_progress', data: progress });
      },
    };
  }

  result(turn: Turn, _: number, at: number): void {
    const result = turn.results[at]!;
    if (!isToolCall(result)) {
      const data = handoffMade(turn, at);
      if (data) this.emit({ type: 'handoff', data });
      return;
    }
    // The reply may repeat the output, so that an output guardrail covers it too.
    const data = endedCall(result, !this.guardrails.guardsOutput);
    this.emit({ type: 'tool_result', data });
  }
}
