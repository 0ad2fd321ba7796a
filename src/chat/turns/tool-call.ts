import { AppError } from '../../platform/errors';
import type { Citation, Source } from '../../platform/message/citation';
import type { Part } from '../../platform/message/message';
import { earlyEnd } from '../../runs/record/early-end';
import type { Status } from '../../runs/record/run';
import type { RunRecord } from '../../runs/record/run-record';
import type { Tool } from '../../tools/tool';

/** `message` is safe to show. */
export type CallError = NonNullable<RunRecord['error']>;

/** The tool that costs money; its report is the reply of a chat whose model writes none. */
export const RESEARCH = 'deep_research';

export function isResearch({
  toolName,
}: Pick<CompletedToolCall, 'toolName'>): boolean {
  return toolName === RESEARCH;
}

/** One tool call of the model with its result. Stored in the record of a chat: its fields and values must not change. */
export interface CompletedToolCall {
  callId: string;
  toolName: string;
  /** Undefined for an unknown name. */
  tool?: Tool;
  /** As written by the model; null if it is not a JSON object. */
  arguments: Record<string, unknown> | null;
  /**
   * `refused`: the call was invalid or not approved, and nothing ran. `told`: the call was answered without a tool, by the
   * user or with a handoff. `open`: the agent that was called waits for a decision, or the chat ends within the call; it is
   * never stored.
   */
  outcome: 'refused' | 'told' | 'reported' | 'failed' | 'unfinished' | 'open';
  /** What the model receives. */
  output: readonly Part[];
  /** The text of the result. */
  report?: string;
  /** URLs of the sources and citations of the result. */
  consulted?: readonly string[];
  /** Citations in the report, and all sources of it. */
  citations?: readonly Citation[];
  sources?: readonly Source[];
  invocation: { id: string; token: string; status: Status } | null;
  /** Set on an unfinished call whose run is being cancelled or has passed its deadline. */
  ending?: boolean;
  /** Why the tool failed, or ended early. Processes of earlier releases stored none. */
  error?: CallError;
}

/** A call as the model requested it. */
export type RequestedCall = Pick<
  CompletedToolCall,
  'callId' | 'toolName' | 'tool' | 'arguments'
>;

/** The results of the calls of a chat so far. */
export interface ToolCallResults {
  /** In the order of the requests, whichever call of a turn ended first. */
  readonly completed: readonly CompletedToolCall[];
  /** The calls of the last turn if their results are the reply; else empty. */
  readonly direct: readonly CompletedToolCall[];
}

/** A mistake of the model, which can correct it or continue without the call. */
export function refusedCall(
  call: RequestedCall,
  code: 'UNKNOWN_TOOL' | 'INVALID_ARGUMENTS' | 'LIMIT_REACHED' | 'NOT_APPROVED',
  message: string,
): CompletedToolCall {
  const output = errorOutput(code, message);
  return { ...call, outcome: 'refused', output, invocation: null };
}

/** A call that the user or a handoff answers: no tool runs. */
export function answeredCall(
  call: RequestedCall,
  output: readonly Part[],
): CompletedToolCall {
  return { ...call, outcome: 'told', output, invocation: null };
}

/** A call of an agent that has no answer yet, and gets none where the chat ends. */
export function openCall(call: RequestedCall): CompletedToolCall {
  return { ...call, outcome: 'open', output: [], invocation: null };
}

/** Whether a tool was requested; false for a call that the user or a handoff answered. */
export function isToolCall({
  outcome,
}: Pick<CompletedToolCall, 'outcome'>): boolean {
  return outcome !== 'told';
}

/** @param record if given, its contents are the output; else the message of `error` is. */
export function failedCall(
  call: RequestedCall,
  invocation: CompletedToolCall['invocation'],
  error: CallError | null,
  record?: RunRecord,
): CompletedToolCall {
  const message = error?.message ?? `${call.toolName} failed.`;
  const output = record?.contents ?? errorOutput('TOOL_FAILED', message);
  const cause = errorDto(error ?? unexplained(record));
  return { ...call, outcome: 'failed', output, invocation, error: cause };
}

/** @param text in place of its own message. */
export function errorDto(
  { code, message, retryable }: CallError,
  text = message,
): CallError {
  return { code, message: text, retryable };
}

/** A run that failed without an error was cancelled, or has no result. */
function unexplained(record?: Pick<RunRecord, 'status'>): AppError {
  if (record?.status === 'cancelled') return new AppError('cancelled');
  return new AppError(record ? 'empty_output' : 'internal_error');
}

export function reportedCall(
  call: RequestedCall,
  invocation: CompletedToolCall['invocation'],
  { status, text, contents, error, sources, citations }: RunRecord,
): CompletedToolCall {
  const report = text ?? '';
  const notice = status === 'incomplete' ? earlyEnd(error) : '';
  const output = contents ?? [{ type: 'text', text: notice + report }];
  const consulted = [...(sources ?? []), ...(citations ?? [])].map(
    ({ url }) => url,
  );
  return {
    ...call,
    outcome: 'reported',
    output,
    report,
    invocation,
    ...(consulted.length > 0 && { consulted }),
    ...(citations?.length && { citations }),
    ...(sources?.length && { sources }),
    ...(status === 'incomplete' && error && { error: errorDto(error) }),
  };
}

function errorOutput(code: string, message: string): Part[] {
  return [{ type: 'value', value: { code, message } }];
}
