import type { AppError } from '../../platform/errors';
import type { Spending } from '../../llm/prices/spending';
import type { GuardrailTripped } from '../../tools/guardrails/tripwire';
import type { FunctionCall, ModelAnswer } from '../../llm/turns/model.types';
import type { ImagePart, Message } from '../../platform/message/message';
import type {
  ChatReply,
  ChatStatus,
  ToolCallDto,
} from '../dto/chat-response.dto';
import type { Cost } from '../../runs/record/run';
import { describeAction, type RequiredAction } from '../tools/approvals';
import {
  type CompletedToolCall,
  isResearch,
  isToolCall,
  RESEARCH,
  type ToolCallResults,
} from '../turns/tool-call';
import {
  fatalTool,
  toolRuns,
  unfinishedCalls,
} from '../turns/tool-call-outcomes';
import {
  foundBy,
  orNull,
  REPORT_SEPARATOR,
  reportsOf,
} from './research-findings';

export const RESEARCH_FAILED = failureText(RESEARCH);
/** The reply of tools whose direct result has no text. */
const DONE = 'Done.';
export const CHAT_FAILED = 'The chat request failed. Please retry later.';

export const NO_ANSWER: ModelAnswer = {
  text: null,
  failure: null,
  responseId: null,
  usage: null,
};

/** The reply of a chat that has ended. */
export function chatReply(
  answer: ModelAnswer,
  { completed, direct }: ToolCallResults,
  agent: string | null,
): ChatReply {
  const failed = fatalTool(completed);
  const content = failed
    ? failureText(failed)
    : contentOf(answer, completed, direct);
  const isOfModel = !failed && content === answer.text;
  const { failure: error } = answer;
  const status = content === CHAT_FAILED ? 'failed' : 'completed';
  const contents = (isOfModel && answer.contents) || [];
  return {
    ...replyOf(answer, completed),
    content,
    message:
      status === 'completed'
        ? assistantMessage(content, contents, answer.thinking)
        : null,
    ...(failed === RESEARCH && { research_summary: RESEARCH_FAILED }),
    agent,
    ...(isOfModel && { contents: orNull(contents) }),
    ...(isOfModel && answer.truncated && { truncated: true }),
    ...(!failed &&
      foundBy(completed.filter(isResearch), isOfModel ? answer : null)),
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

/** What the turns of the model cost; null where it is not known, or there were none. */
export function costOf({ total }: Spending): Cost | null {
  if (!total || total.usd === null) return null;
  const { usd: spent, source } = total;
  return { currency: 'USD', estimated: null, reserved: null, spent, source };
}

/** The reply of a chat that waits for a decision of the user. */
export function waitingReply(
  action: RequiredAction,
  answer: ModelAnswer,
  { completed }: Pick<ToolCallResults, 'completed'>,
  agent: string | null,
): ChatReply {
  return {
    ...replyOf(answer, completed),
    agent,
    content: describeAction(action),
    status: 'requires_action',
    required_action: action,
  };
}

/** The reply of a chat that a guardrail ended, without anything that the guardrail refused. */
export function trippedReply(
  { name, stage, toolName, safeText }: GuardrailTripped,
  answer: ModelAnswer,
  calls: readonly CompletedToolCall[],
): ChatReply {
  return {
    ...replyOf(answer, calls),
    content: safeText,
    message: assistantMessage(safeText),
    research_summary: null,
    guardrail: { name, stage, tool_name: toolName ?? null },
  };
}

/** The reply of a chat that an error has ended. */
export function failedReply({ code, message, retryable }: AppError): ChatReply {
  return {
    ...openReply('failed'),
    content: CHAT_FAILED,
    error: { code, message, retryable },
  };
}

/** The reply of a chat that has no answer yet. */
export function openReply(status: ChatStatus): ChatReply {
  return { ...replyOf(NO_ANSWER, []), status };
}

/** A completed reply without an answer. */
export function replyOf(
  { responseId, usage }: ModelAnswer,
  calls: readonly CompletedToolCall[],
): ChatReply {
  const run = toolRuns(calls);
  return {
    content: null,
    message: null,
    tool_called: run.length > 0,
    // Older clients expect research here, even if another tool was called first.
    tool_name: (run.find(isResearch) ?? run[0])?.toolName ?? null,
    research_summary: reports(run.filter(isResearch)),
    tool_calls: calls.filter(isToolCall).map(toToolCallDto),
    response_id: responseId,
    usage,
    cost: null,
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
  const running = unfinishedCalls(calls).map(unfinishedText);
  if (running.length > 0) {
    return [summary, ...running].filter((part) => part !== null).join('\n\n');
  }
  if (direct.length > 0) return reports(direct) || DONE;
  return text ?? summary ?? CHAT_FAILED;
}

function reports(calls: readonly CompletedToolCall[]): string | null {
  const texts = reportsOf(calls).map(({ report }) => report);
  return texts.length > 0 ? texts.join(REPORT_SEPARATOR) : null;
}

function failureText(tool: string): string {
  return `${tool} failed. Please retry later.`;
}

function unfinishedText({
  toolName,
  invocation,
  ending,
}: CompletedToolCall): string {
  const state = ending
    ? 'is about to end'
    : 'is not finished yet and continues';
  return `${toolName} ${state}. Read it later at /api/v1/tool-invocations/${invocation!.id}.`;
}

/** The DTO as plain data. */
export type ToolCallView = Pick<ToolCallDto, keyof ToolCallDto>;

/** A call that has started, with the arguments that its tool received. */
export function startedCall(
  { callId, name }: Pick<FunctionCall, 'callId' | 'name'>,
  started: Pick<CompletedToolCall, 'arguments' | 'invocation'>,
): ToolCallView {
  return toToolCallDto({ callId, toolName: name, ...started });
}

export function toToolCallDto(
  call: Pick<
    CompletedToolCall,
    'toolName' | 'callId' | 'arguments' | 'invocation'
  >,
): ToolCallView {
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

/** The reply of the assistant in the message format. */
export function assistantMessage(
  content: string,
  images: readonly ImagePart[] = [],
  thinking?: string,
): Message {
  return {
    role: 'assistant',
    contents: [{ type: 'text', text: content }, ...images],
    ...(thinking && { thinking }),
  };
}

/** The message with this text in place of its own, and without its thinking. */
export function withText({ contents }: Message, text: string): Message {
  const images = contents.filter(({ type }) => type !== 'text');
  return assistantMessage(text, images as ImagePart[]);
}
