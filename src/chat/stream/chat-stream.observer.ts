import type { Guardrails } from '../../guardrails/guardrails';
import type { ChatObserver } from '../loop/chat.observer';
import type { TellChat } from './chat.event';
import { begunCall, toolCall } from '../loop/chat.reply';
import type { Turn } from '../loop/chat.turn';
import type { CallWatcher } from '../tools/tool-call.invoker';

/** Tells of the calls of a chat while they are made. */
export class ChatStreamObserver implements ChatObserver {
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
