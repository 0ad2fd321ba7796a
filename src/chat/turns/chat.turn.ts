import type { TurnProgress, FunctionCall } from '../../llm/model.types';
import { callableName, parseCallArguments } from '../../message/call.arguments';
import type { Message } from '../../message/message';
import type { CompletedToolCall } from './tool-call';

/** A completed call without its tool, which is not serializable. */
export type StoredCall = Omit<CompletedToolCall, 'tool'>;

/**
 * A turn of the model that requested calls, with the results so far. Usage, sources and contents are totals of the chat up
 * to and including this turn. Stored in the record of a chat: its fields must not change.
 */
export interface Turn extends TurnProgress {
  /** The agent of the turn; null where no agents are configured. */
  agent: string | null;
  /** Their ids are unique in the chat. */
  calls: readonly FunctionCall[];
  /** Milliseconds since the epoch; the ids of its runs begin with it. */
  atMs: number;
  results: (StoredCall | undefined)[];
  /** Whether the model may have read text that neither its user nor the operator wrote. Absent: unknown. */
  foreignText?: boolean;
}

/** The turns as messages, for any engine. Calls without a result are left out. */
export function messagesOf(turns: readonly Turn[]): Message[] {
  return turns.flatMap(({ text, calls, results }) => {
    const completed = calls.flatMap((call, at) => {
      const result = results[at];
      return result ? [{ call, result }] : [];
    });
    if (completed.length === 0) return [];
    const assistant: Message = {
      role: 'assistant',
      contents: text === '' ? [] : [{ type: 'text', text }],
      tool_calls: completed.map(({ call }) => ({
        type: 'function',
        id: call.callId,
        function: {
          name: callableName(call.name),
          arguments: parseCallArguments(call.arguments) ?? {},
        },
      })),
    };
    const outputs = completed.map(({ call, result }): Message => ({
      role: 'tool',
      tool_call_id: call.callId,
      contents: [...result.output],
    }));
    return [assistant, ...outputs];
  });
}
