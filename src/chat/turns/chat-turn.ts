import { type Spent, UNKNOWN } from '../../llm/prices/spending';
import type {
  FunctionCall,
  ToolOutputs,
  TurnProgress,
} from '../../llm/turns/model.types';
import {
  callableName,
  parseCallArguments,
} from '../../platform/message/call-arguments';
import type { Message } from '../../platform/message/message';
import type { CallError, CompletedToolCall } from './tool-call';

/** A completed call without its tool, which is not serializable. */
export type StoredCall = Omit<CompletedToolCall, 'tool'>;

/** A call of the chat: its turn, and its place in that. */
export interface CallPlace {
  turn: number;
  call: number;
}

/**
 * A turn of the model that requested calls, with the results so far; of an agent that was called also its last turn, which
 * has none. Usage, sources and contents are totals of the chat up
 * to and including this turn. Stored in the record of a chat: its fields must not change.
 */
export interface Turn extends TurnProgress {
  /** The agent of the turn; null where no agents are configured. */
  agent: string | null;
  /** The call of another agent that it works on. Absent: it answers the user. */
  within?: CallPlace;
  /** Why the last turn of an agent that was called has no text. */
  error?: CallError;
  /** Their ids are unique in the chat. */
  calls: readonly FunctionCall[];
  /** Milliseconds since the epoch; the ids of its runs begin with it. */
  atMs: number;
  results: (StoredCall | undefined)[];
  /** Whether the model may have read text that neither its user nor the operator wrote. Absent: unknown. */
  foreignText?: boolean;
  /** What the chat cost up to and including this turn. Absent: unknown. */
  spent?: Spent;
}

/** What the calls of a turn led to. */
export interface TurnResult extends ToolOutputs {
  done: boolean;
  /** The results, if they are the answer of the agent; else empty. */
  direct: readonly CompletedToolCall[];
  /** Calls of the turn are left to the caller of the chat. */
  handsBack: boolean;
  /** The agent that takes over the conversation. */
  handoff?: string;
}

/** Where a call is; ids of calls are unique in a chat. */
export function placeOf(
  turns: readonly Turn[],
  { callId }: Pick<FunctionCall, 'callId'>,
): CallPlace {
  const at = ({ calls }: Turn): number =>
    calls.findIndex((call) => call.callId === callId);
  const turn = turns.findIndex((each) => at(each) >= 0);
  return { turn, call: at(turns[turn]) };
}

/** What the turns cost; undefined without turns. A process of an earlier release stored no cost. */
export function spentIn(turns: readonly Turn[]): Spent | undefined {
  const last = turns.at(-1);
  return last && (last.spent ?? UNKNOWN);
}

/** The turns as messages, for any engine. Calls without a result are left out. */
export function messagesOf(turns: readonly Turn[]): Message[] {
  return turns.flatMap(({ text, calls, results }) => {
    const completed = calls.filter((_, at) => results[at]);
    if (completed.length === 0) return [];
    return [
      callingMessage(text, completed),
      ...resultMessagesOf({ calls, results }),
    ];
  });
}

/** The turns as messages, with the calls of the last turn that have no result. */
export function openMessagesOf(turns: readonly Turn[]): Message[] {
  const last = turns.at(-1);
  if (!last) return [];
  return [
    ...messagesOf(turns.slice(0, -1)),
    callingMessage(last.text, last.calls),
    ...resultMessagesOf(last),
  ];
}

/** A message of the model that makes calls. */
export function callingMessage(
  text: string,
  calls: readonly FunctionCall[],
): Message {
  return {
    role: 'assistant',
    contents: text === '' ? [] : [{ type: 'text', text }],
    tool_calls: calls.map((call) => ({
      type: 'function',
      id: call.callId,
      function: {
        name: callableName(call.name),
        arguments: parseCallArguments(call.arguments) ?? {},
      },
    })),
  };
}

function resultMessagesOf({
  calls,
  results,
}: Pick<Turn, 'calls' | 'results'>): Message[] {
  return calls.flatMap(({ callId }, at): Message[] => {
    const result = results[at];
    if (!result) return [];
    const contents = [...result.output];
    return [{ role: 'tool', tool_call_id: callId, contents }];
  });
}
