import type { AskedTurn, FunctionCall } from '../../llm/model.types';
import { callableName, parseCallArguments } from '../../message/call.arguments';
import type { Message } from '../../message/message';
import type { CompletedToolCall } from '../tools/tool-call';

/** What came of a call, as it can be kept. */
export type KeptCall = Omit<CompletedToolCall, 'tool'>;

/**
 * A turn of the model that asked for calls, and what came of each of them so far. What was found besides, and what it
 * took, is that of all turns of the chat up to this one.
 */
export interface Turn extends AskedTurn {
  /** Who took it; null where no agents are configured. */
  agent: string | null;
  /** Their ids are unique in the chat. */
  calls: readonly FunctionCall[];
  /** When, in milliseconds; ids of its invocations begin with it. */
  atMs: number;
  results: (KeptCall | undefined)[];
  /** The model may have read what neither its user nor the operator wrote. Absent: not known. */
  foreignText?: boolean;
}

/** The conversation of the turns, as any engine can be told it. What is not done yet is left out. */
export function messagesOf(turns: readonly Turn[]): Message[] {
  return turns.flatMap(({ text, calls, results }) => {
    const done = calls.flatMap((call, at) => {
      const result = results[at];
      return result ? [{ call, result }] : [];
    });
    if (done.length === 0) return [];
    const said: Message = {
      role: 'assistant',
      contents: text === '' ? [] : [{ type: 'text', text }],
      tool_calls: done.map(({ call }) => ({
        type: 'function',
        id: call.callId,
        function: {
          name: callableName(call.name),
          arguments: parseCallArguments(call.arguments) ?? {},
        },
      })),
    };
    const heard = done.map(({ call, result }): Message => ({
      role: 'tool',
      tool_call_id: call.callId,
      contents: [...result.output],
    }));
    return [said, ...heard];
  });
}
