import type { ModelAnswer } from '../llm/model.answer';
import type { CalledTool } from './called.tool';
import type { ChatResponseDto, ToolCallDto } from './chat.dto';

/** The tool whose report is what a chat falls back on. */
const RESEARCH = 'deep_research';

export const RESEARCH_FAILED = `${RESEARCH} failed. Please retry later.`;
export const CHAT_FAILED = 'The chat request failed. Please retry later.';

/** Whether the calls so far settle the reply, so that no further turn of the model is needed. */
export function isSettled(calls: readonly CalledTool[]): boolean {
  return unfinished(calls).length > 0 || researchFailed(calls);
}

export function chatReply(
  answer: ModelAnswer,
  calls: readonly CalledTool[],
): ChatResponseDto {
  const summary = researchFailed(calls) ? RESEARCH_FAILED : reports(calls);
  const run = calls.filter(({ outcome }) => outcome !== 'refused');
  return {
    content: contentOf(answer, calls, summary),
    tool_called: run.length > 0,
    tool_name: run[0]?.toolName ?? null,
    research_summary: summary,
    tool_calls: calls.map(toolCall),
    response_id: answer.responseId,
    usage: answer.usage,
  };
}

function contentOf(
  { text }: ModelAnswer,
  calls: readonly CalledTool[],
  summary: string | null,
): string {
  const running = unfinished(calls).map(stillRunning);
  if (running.length > 0) {
    return [summary, ...running].filter((part) => part !== null).join('\n\n');
  }
  if (researchFailed(calls)) return RESEARCH_FAILED;
  return text ?? summary ?? CHAT_FAILED;
}

function unfinished(calls: readonly CalledTool[]): CalledTool[] {
  return calls.filter(({ outcome }) => outcome === 'unfinished');
}

/** All of the conversation's research came to nothing. A call that was refused is no research. */
function researchFailed(calls: readonly CalledTool[]): boolean {
  const research = researchOf(calls);
  return (
    research.length > 0 && research.every(({ outcome }) => outcome === 'failed')
  );
}

function reports(calls: readonly CalledTool[]): string | null {
  // A call that the model made twice is one invocation.
  const texts = new Map(
    researchOf(calls).flatMap(({ report, invocation }) =>
      report === undefined ? [] : [[invocation?.id, report]],
    ),
  );
  return texts.size > 0 ? [...texts.values()].join('\n\n') : null;
}

function researchOf(calls: readonly CalledTool[]): CalledTool[] {
  return calls.filter(
    ({ toolName, outcome }) => toolName === RESEARCH && outcome !== 'refused',
  );
}

function stillRunning({ toolName, invocation }: CalledTool): string {
  return `${toolName} is not finished yet and goes on. Read it later at /api/v1/tool-invocations/${invocation!.id}.`;
}

function toolCall(call: CalledTool): ToolCallDto {
  const { invocation } = call;
  return {
    tool_name: call.toolName,
    call_id: call.callId,
    arguments: call.arguments,
    invocation_id: invocation?.id ?? null,
    invocation_token: invocation?.token ?? null,
    status: invocation?.status ?? null,
  };
}
