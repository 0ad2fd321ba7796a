import type { Status } from '../tool-invocations/invocation';
import type { InvocationRecord } from '../tool-invocations/invocation.record';

/** One call of a tool by the model, and what became of it. */
export interface CalledTool {
  callId: string;
  toolName: string;
  /** As the model wrote them; null if they were no JSON object. */
  arguments: Record<string, unknown> | null;
  /** `refused`: the call itself was wrong, and nothing was run. */
  outcome: 'refused' | 'reported' | 'failed' | 'unfinished';
  /** What the model is told. */
  output: string;
  report?: string;
  invocation: { id: string; token: string; status: Status } | null;
}

type Asked = Pick<CalledTool, 'callId' | 'toolName' | 'arguments'>;

/** A mistake of the model, which can try again. */
export function refused(
  asked: Asked,
  code: 'UNKNOWN_TOOL' | 'INVALID_ARGUMENTS',
  message: string,
): CalledTool {
  const output = JSON.stringify({ code, message });
  return { ...asked, outcome: 'refused', output, invocation: null };
}

export function failed(
  asked: Asked,
  invocation: CalledTool['invocation'],
  error: { message: string } | null,
): CalledTool {
  const message = error?.message ?? `${asked.toolName} failed.`;
  const output = JSON.stringify({ code: 'TOOL_FAILED', message });
  return { ...asked, outcome: 'failed', output, invocation };
}

export function reported(
  asked: Asked,
  invocation: CalledTool['invocation'],
  { status, text, error }: InvocationRecord,
): CalledTool {
  const report = text ?? '';
  const output =
    status === 'incomplete'
      ? `[This ended early: ${error?.message ?? 'the work was not finished.'}]\n\n${report}`
      : report;
  return { ...asked, outcome: 'reported', output, report, invocation };
}
