import type { GuardrailTripped } from '../../guardrails/tripwire';
import type { FunctionCall, ModelAnswer } from '../../llm/model.types';
import {
  type CompletedToolCall,
  isResearch,
  RESEARCH,
} from '../tools/tool-call';
import { answerMessage } from './chat.message';
import type {
  ChatReply,
  ChatStatus,
  ToolCallDto,
} from '../dto/chat-response.dto';
import { inWords, type RequiredAction } from '../tools/approvals';
import { BETWEEN, foundBy, orNull, reportsOf } from './research.findings';
import type { ToolCallRunner } from '../tools/tool-call.runner';

export const RESEARCH_FAILED = failure(RESEARCH);
/** Of tools whose result is the answer, but is no text. */
const DONE = 'Done.';
export const CHAT_FAILED = 'The chat request failed. Please retry later.';

export const NO_ANSWER: ModelAnswer = {
  text: null,
  failure: null,
  responseId: null,
  usage: null,
};

/** Whether the calls so far settle the reply, so that no further turn of the model is needed. */
export function isSettled(calls: readonly CompletedToolCall[]): boolean {
  return unfinished(calls).length > 0 || fatal(calls) !== undefined;
}

/** Whether what the calls of one turn gave is the answer. */
export function isDirect(turn: readonly CompletedToolCall[]): boolean {
  return turn.every(
    ({ tool, outcome }) => tool?.returnDirect && outcome === 'reported',
  );
}

type Calls = Pick<ToolCallRunner, 'made' | 'direct'>;

export function chatReply(
  answer: ModelAnswer,
  { made, direct }: Calls,
  agent: string | null,
): ChatReply {
  const failed = fatal(made);
  const content = failed ? failure(failed) : contentOf(answer, made, direct);
  const isModels = !failed && content === answer.text;
  const { failure: error } = answer;
  const status = content === CHAT_FAILED ? 'failed' : 'completed';
  const contents = (isModels && answer.contents) || [];
  return {
    ...replyOf(answer, made),
    content,
    message:
      status === 'completed'
        ? answerMessage(content, contents, answer.thinking)
        : null,
    ...(failed === RESEARCH && { research_summary: RESEARCH_FAILED }),
    agent,
    ...(isModels && { contents: orNull(contents) }),
    ...(!failed && foundBy(made.filter(isResearch), isModels ? answer : null)),
    status,
    error: error
      ? {
          code: error.code,
          message: error.message,
          retryable: error.retryable,
        }
      : null,
  };
}

/** Of a chat that goes on when a human has decided. */
export function waitingReply(
  waits: RequiredAction,
  answer: ModelAnswer,
  { made }: Calls,
  agent: string | null,
): ChatReply {
  return {
    ...replyOf(answer, made),
    agent,
    content: inWords(waits),
    status: 'requires_action',
    required_action: waits,
  };
}

/** Of a chat that a guardrail ended: nothing of what it refused. */
export function trippedReply(
  { name, stage, toolName, safeText }: GuardrailTripped,
  answer: ModelAnswer,
  made: readonly CompletedToolCall[],
): ChatReply {
  return {
    ...replyOf(answer, made),
    content: safeText,
    message: answerMessage(safeText),
    research_summary: null,
    guardrail: { name, stage, tool_name: toolName ?? null },
  };
}

/** Of a chat that has no answer yet. */
export function openReply(status: ChatStatus): ChatReply {
  return { ...replyOf(NO_ANSWER, []), status };
}

function replyOf(
  { responseId, usage }: ModelAnswer,
  made: readonly CompletedToolCall[],
): ChatReply {
  const called = made.filter(({ outcome }) => outcome !== 'told');
  const run = called.filter(({ outcome }) => outcome !== 'refused');
  return {
    content: null,
    message: null,
    tool_called: run.length > 0,
    // Old clients look for the research, whatever else was called first.
    tool_name: (run.find(isResearch) ?? run[0])?.toolName ?? null,
    research_summary: reports(run.filter(isResearch)),
    tool_calls: called.map(toolCall),
    response_id: responseId,
    usage,
    agent: null,
    contents: null,
    citations: null,
    sources: null,
    guardrail: null,
    status: 'completed',
    error: null,
    required_action: null,
    chat_id: null,
    invocation_token: null,
  };
}

function contentOf(
  { text }: ModelAnswer,
  calls: readonly CompletedToolCall[],
  direct: readonly CompletedToolCall[],
): string {
  const summary = reports(calls.filter(isResearch));
  const running = unfinished(calls).map(stillRunning);
  if (running.length > 0) {
    return [summary, ...running].filter((part) => part !== null).join('\n\n');
  }
  if (direct.length > 0) return reports(direct) || DONE;
  return text ?? summary ?? CHAT_FAILED;
}

function unfinished(calls: readonly CompletedToolCall[]): CompletedToolCall[] {
  return calls.filter(({ outcome }) => outcome === 'unfinished');
}

/** The first tool whose failure ends the request: all that was done of it came to nothing, and nothing of all is running. */
function fatal(calls: readonly CompletedToolCall[]): string | undefined {
  if (unfinished(calls).length > 0) return undefined;
  const run = calls.filter(
    ({ outcome }) => outcome !== 'refused' && outcome !== 'told',
  );
  return run.find(
    ({ tool, toolName }) =>
      tool?.onError === 'fail' &&
      run
        .filter((call) => call.toolName === toolName)
        .every(({ outcome }) => outcome === 'failed'),
  )?.toolName;
}

function reports(calls: readonly CompletedToolCall[]): string | null {
  const texts = reportsOf(calls).map(({ report }) => report);
  return texts.length > 0 ? texts.join(BETWEEN) : null;
}

function failure(tool: string): string {
  return `${tool} failed. Please retry later.`;
}

function stillRunning({
  toolName,
  invocation,
  ending,
}: CompletedToolCall): string {
  const state = ending ? 'is about to end' : 'is not finished yet and goes on';
  return `${toolName} ${state}. Read it later at /api/v1/tool-invocations/${invocation!.id}.`;
}

/** Without its class, so that more can stand beside it. */
export type ToldCall = Pick<ToolCallDto, keyof ToolCallDto>;

/** A call that begins, with the arguments that it is made with. */
export function begunCall(
  { callId, name }: Pick<FunctionCall, 'callId' | 'name'>,
  begun: Pick<CompletedToolCall, 'arguments' | 'invocation'>,
): ToldCall {
  return toolCall({ callId, toolName: name, ...begun });
}

export function toolCall(
  call: Pick<
    CompletedToolCall,
    'toolName' | 'callId' | 'arguments' | 'invocation'
  >,
): ToldCall {
  const { invocation } = call;
  return {
    tool_name: call.toolName,
    call_id: call.callId,
    arguments: call.arguments,
    invocation_id: invocation?.id ?? null,
    invocation_token: invocation?.token || null,
    status: invocation?.status ?? null,
  };
}
