import { AppError, isErrorCode } from '../../platform/errors';
import { distinctSources } from '../../platform/message/citation';
import type { Message } from '../../platform/message/message';
import { traced } from '../../platform/tracing/tracing';
import type { Sampling } from '../../llm/turns/sampling';
import {
  addUsage,
  joinThinking,
  type ModelAnswer,
  type TurnProgress,
} from '../../llm/turns/model.types';
import type { Agent } from '../turns/chat-agents';
import type { CallPlace, Turn } from '../turns/chat-turn';
import {
  type CompletedToolCall,
  failedCall,
  openCall,
  type RequestedCall,
} from '../turns/tool-call';
import { NO_ANSWER } from './chat-reply';

export type TurnTotals = Omit<TurnProgress, 'text'>;

/** An agent at work: on the chat, or on a call of another agent. */
export interface AgentWork {
  agent: Agent;
  input: readonly Message[];
  /** The call; undefined for the chat. */
  within?: CallPlace;
  /** How many agents wait for it. */
  depth: number;
  /** With the totals of its runs, and of the agents that it called. */
  answer: ModelAnswer;
  /** What the chat took before. */
  before: TurnTotals;
  /** The calls whose results are its answer; else empty. */
  direct: readonly CompletedToolCall[];
}

/** The work on a chat, before its first turn. */
export function workOf(
  agent: Agent,
  input: readonly Message[],
  before: TurnTotals,
): AgentWork {
  return { agent, input, before, depth: 0, answer: NO_ANSWER, direct: [] };
}

/** The totals of several runs, as one run would report them. */
export function totalsOf(before: TurnTotals, run: TurnTotals): TurnTotals {
  const contents = [...(before.contents ?? []), ...(run.contents ?? [])];
  const sources = [...(run.sources ?? []), ...(before.sources ?? [])];
  const thinking = joinThinking(before.thinking, run.thinking ?? '');
  return {
    responseId: run.responseId ?? before.responseId,
    usage: addUsage(before.usage, run),
    ...(contents.length > 0 && { contents }),
    ...(sources.length > 0 && { sources: distinctSources(sources) }),
    ...(thinking && { thinking }),
  };
}

/** What of a run counts for the chat: the thinking and the response of an agent that is called are its own. */
export function countedOf<T extends TurnTotals>(
  { within }: Pick<AgentWork, 'within'>,
  run: T,
): T {
  return within ? { ...run, responseId: null, thinking: undefined } : run;
}

/** Adds what a run took. */
export function count(work: AgentWork, run: TurnTotals): void {
  const totals = totalsOf(work.answer, countedOf(work, run));
  work.answer = { ...work.answer, ...totals };
}

/** Whether a turn is of this work. */
export function isOf(
  { within }: Pick<AgentWork, 'within'>,
  turn: Pick<Turn, 'within'>,
): boolean {
  return (
    turn.within?.turn === within?.turn && turn.within?.call === within?.call
  );
}

/** The end of its work that the last turn of an agent holds. */
export function endOf({ text, error }: Turn): Partial<ModelAnswer> {
  if (!error) return { text };
  const code = isErrorCode(error.code) ? error.code : 'internal_error';
  return { failure: new AppError(code, error.message) };
}

/** The result of a call of an agent; `open` if that has no answer. */
export function answeredBy(
  { answer: { text, failure }, direct }: AgentWork,
  call: RequestedCall,
): CompletedToolCall {
  if (failure) return failedCall(call, null, failure);
  const found = direct.flatMap(({ output }) => output);
  if (text === null && found.length === 0) return openCall(call);
  const output = text === null ? found : [{ type: 'text' as const, text }];
  return { ...call, outcome: 'reported', output, invocation: null };
}

/** The part of a chat that an agent of the configuration has is a span. */
export function asAgent<T>(
  { name }: Agent,
  work: () => Promise<T>,
): Promise<T> {
  if (name === null) return work();
  const about = { operation: 'invoke_agent', agent: name } as const;
  return traced('internal', `invoke_agent ${name}`, about, work);
}

export function instructionsOf({ instructions }: Agent): Message[] {
  return instructions === null ? [] : [messageOf('system', instructions)];
}

export function messageOf(role: 'system' | 'user', text: string): Message {
  return { role, contents: [{ type: 'text', text }] };
}

/** The form and the end that a request asks for are those of the reply. */
export function samplingOf(
  { isCalled }: Agent,
  sampling: Sampling | undefined,
): Sampling | undefined {
  if (!isCalled || !sampling) return sampling;
  const { format: _, stop: __, ...own } = sampling;
  return own;
}
