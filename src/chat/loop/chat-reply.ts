import { AppError } from '../../platform/errors';
import type { Spending } from '../../llm/prices/spending';
import type { GuardrailTripped } from '../../tools/guardrails/tripwire';
import type { ModelAnswer } from '../../llm/turns/model.types';
import type { ImagePart, Message } from '../../platform/message/message';
import type {
  ChatErrorDto,
  ChatReply,
  ChatStatus,
} from '../dto/chat-response.dto';
import { earlyEndOf } from '../../runs/record/early-end';
import type { Cost } from '../../runs/record/run';
import { describeAction, type RequiredAction } from '../tools/approvals';
import {
  type CompletedToolCall,
  errorDto,
  isResearch,
  isToolCall,
  type ToolCallResults,
} from '../turns/tool-call';
import { toToolCallDto } from '../turns/tool-call-view';
import {
  fatalCall,
  toolRuns,
  unfinishedCalls,
} from '../turns/tool-call-outcomes';
import { foundBy, joined, orNull, reportsOf } from './research-findings';

/** The reply of tools whose direct result has no text, and of an agent that is called and answers with images alone. */
export const DONE = 'Done.';
const CHAT = 'The chat request';

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
  const fatal = fatalCall(completed);
  const found = fatal ? null : contentOf(answer, completed, direct);
  const error =
    (fatal ? (fatal.error ?? new AppError('tool_failed')) : answer.failure) ??
    (found === null ? new AppError('empty_output') : null);
  const content = found ?? failureText(error, fatal?.toolName);
  const isOfModel = found !== null && found === answer.text;
  const isCut = isOfModel
    ? answer.truncated
    : found !== null &&
      endedEarly(direct.length > 0 ? direct : completed.filter(isResearch))
        .length > 0;
  const status = found === null ? 'failed' : 'completed';
  const contents = (isOfModel && answer.contents) || [];
  return {
    ...replyOf(answer, completed),
    content,
    message:
      status === 'completed'
        ? assistantMessage(content, contents, answer.thinking)
        : null,
    ...(fatal && isResearch(fatal) && { research_summary: content }),
    agent,
    ...(isOfModel && { contents: orNull(contents) }),
    ...(isCut && { truncated: true }),
    ...(!fatal &&
      foundBy(completed.filter(isResearch), isOfModel ? answer : null)),
    status,
    error: error && errorDto(error),
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
export function failedReply(error: AppError): ChatReply {
  return {
    ...openReply('failed'),
    content: failureText(error),
    error: errorDto(error),
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
): string | null {
  const summary = shownReports(calls.filter(isResearch));
  const running = unfinishedCalls(calls).map(unfinishedText);
  if (running.length > 0) {
    return [summary, ...running].filter((part) => part !== null).join('\n\n');
  }
  if (direct.length > 0) return shownReports(direct) || DONE;
  return text ?? summary;
}

/** Reports in place of an answer; before them, why one ended early. */
function shownReports(calls: readonly CompletedToolCall[]): string | null {
  const text = reports(calls);
  return text && endedEarly(calls).join('') + text;
}

/** Of the calls whose report ended early, why it did. */
function endedEarly(calls: readonly CompletedToolCall[]): string[] {
  return reportsOf(calls).flatMap(({ invocation, error, report = '' }) =>
    invocation?.status === 'incomplete'
      ? earlyEndOf(report, error ?? null)
      : [],
  );
}

function reports(calls: readonly CompletedToolCall[]): string | null {
  const reported = reportsOf(calls);
  return reported.length > 0 ? joined(reported).text : null;
}

/** What people read in place of an answer: it asks for a retry unless the cause is known to stay. */
export function failureText(error: ChatErrorDto | null, what = CHAT): string {
  return `${what} failed. ${error?.retryable === false ? error.message : 'Please retry later.'}`;
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
