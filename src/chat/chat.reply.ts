import type { ModelAnswer } from '../llm/model.answer';
import type { CalledTool } from './called.tool';
import type { ChatResponseDto, ToolCallDto } from './chat.dto';
import type { ToolCalls } from './tool.calls';

/** The tool whose report is what a chat falls back on. */
const RESEARCH = 'deep_research';

export const RESEARCH_FAILED = failure(RESEARCH);
/** Of tools whose result is the answer, but is no text. */
const DONE = 'Done.';
export const CHAT_FAILED = 'The chat request failed. Please retry later.';

/** Whether the calls so far settle the reply, so that no further turn of the model is needed. */
export function isSettled(calls: readonly CalledTool[]): boolean {
  return unfinished(calls).length > 0 || fatal(calls) !== undefined;
}

/** Whether what the calls of one turn gave is the answer. */
export function isDirect(turn: readonly CalledTool[]): boolean {
  return turn.every(
    ({ tool, outcome }) => tool?.returnDirect && outcome === 'reported',
  );
}

export function chatReply(
  answer: ModelAnswer,
  { made, direct }: Pick<ToolCalls, 'made' | 'direct'>,
): ChatResponseDto {
  const run = made.filter(({ outcome }) => outcome !== 'refused');
  const failed = fatal(made);
  return {
    content: failed ? failure(failed) : contentOf(answer, made, direct),
    tool_called: run.length > 0,
    tool_name: run[0]?.toolName ?? null,
    research_summary:
      failed === RESEARCH ? RESEARCH_FAILED : reports(run.filter(isResearch)),
    tool_calls: made.map(toolCall),
    response_id: answer.responseId,
    usage: answer.usage,
  };
}

function contentOf(
  { text }: ModelAnswer,
  calls: readonly CalledTool[],
  direct: readonly CalledTool[],
): string {
  const summary = reports(calls.filter(isResearch));
  const running = unfinished(calls).map(stillRunning);
  if (running.length > 0) {
    return [summary, ...running].filter((part) => part !== null).join('\n\n');
  }
  if (direct.length > 0) return reports(direct) || DONE;
  return text ?? summary ?? CHAT_FAILED;
}

function unfinished(calls: readonly CalledTool[]): CalledTool[] {
  return calls.filter(({ outcome }) => outcome === 'unfinished');
}

/** The first tool whose failure ends the request: all that was done of it came to nothing, and nothing of all is running. */
function fatal(calls: readonly CalledTool[]): string | undefined {
  if (unfinished(calls).length > 0) return undefined;
  const run = calls.filter(({ outcome }) => outcome !== 'refused');
  return run.find(
    ({ tool, toolName }) =>
      tool?.onError === 'fail' &&
      run
        .filter((call) => call.toolName === toolName)
        .every(({ outcome }) => outcome === 'failed'),
  )?.toolName;
}

function reports(calls: readonly CalledTool[]): string | null {
  // A call that the model made twice is one invocation.
  const texts = new Map(
    calls.flatMap(({ report, invocation }) =>
      report === undefined ? [] : [[invocation?.id, report]],
    ),
  );
  return texts.size > 0 ? [...texts.values()].join('\n\n') : null;
}

function isResearch({ toolName }: CalledTool): boolean {
  return toolName === RESEARCH;
}

function failure(tool: string): string {
  return `${tool} failed. Please retry later.`;
}

function stillRunning({ toolName, invocation }: CalledTool): string {
  return `${toolName} is not finished yet and goes on. Read it later at /api/v1/tool-invocations/${invocation!.id}.`;
}

/** Without its class, so that more can stand beside it. */
export type ToldCall = Pick<ToolCallDto, keyof ToolCallDto>;

export function toolCall(
  call: Pick<CalledTool, 'toolName' | 'callId' | 'arguments' | 'invocation'>,
): ToldCall {
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
