import type { Citation, Source } from '../../message/citation';
import type { Part } from '../../message/message';
import type { Status } from '../../runs/run';
import type { RunRecord } from '../../runs/record/run.record';
import type { Tool } from '../../tools/tool';

/** The tool whose report is what a chat falls back on, and which costs money. */
export const RESEARCH = 'deep_research';

export function isResearch({
  toolName,
}: Pick<CompletedToolCall, 'toolName'>): boolean {
  return toolName === RESEARCH;
}

/** One call of a tool by the model, and what became of it. */
export interface CompletedToolCall {
  callId: string;
  toolName: string;
  /** Undefined: there is none of this name. */
  tool?: Tool;
  /** As the model wrote them; null if they were no JSON object. */
  arguments: Record<string, unknown> | null;
  /**
   * `refused`: the call itself was wrong, or not approved, and nothing was run. `told`: no tool was called at all, but
   * the user asked, or the conversation handed over.
   */
  outcome: 'refused' | 'told' | 'reported' | 'failed' | 'unfinished';
  /** What the model is told. */
  output: readonly Part[];
  /** The text that came of it. */
  report?: string;
  /** URLs that it was made from. */
  consulted?: readonly string[];
  /** Places of the report that rest on a source, and all sources of it. */
  citations?: readonly Citation[];
  sources?: readonly Source[];
  invocation: { id: string; token: string; status: Status } | null;
  /** Of one that is unfinished: it is to stop, or its time is up. */
  ending?: boolean;
}

export type Asked = Pick<
  CompletedToolCall,
  'callId' | 'toolName' | 'tool' | 'arguments'
>;

/** A mistake of the model, which can try again or do without. */
export function refused(
  asked: Asked,
  code: 'UNKNOWN_TOOL' | 'INVALID_ARGUMENTS' | 'LIMIT_REACHED' | 'NOT_APPROVED',
  message: string,
): CompletedToolCall {
  const output = fault(code, message);
  return { ...asked, outcome: 'refused', output, invocation: null };
}

/** What was no call of a tool, and what the model is told of it. */
export function told(asked: Asked, output: readonly Part[]): CompletedToolCall {
  return { ...asked, outcome: 'told', output, invocation: null };
}

/** `record`: where there is one, it says what the model is told. */
export function failed(
  asked: Asked,
  invocation: CompletedToolCall['invocation'],
  error: { message: string } | null,
  record?: RunRecord,
): CompletedToolCall {
  const message = error?.message ?? `${asked.toolName} failed.`;
  const output = record?.contents ?? fault('TOOL_FAILED', message);
  return { ...asked, outcome: 'failed', output, invocation };
}

export function reported(
  asked: Asked,
  invocation: CompletedToolCall['invocation'],
  { status, text, contents, error, sources, citations }: RunRecord,
): CompletedToolCall {
  const report = text ?? '';
  const early = `[This ended early: ${error?.message ?? 'the work was not finished.'}]\n\n`;
  const output = contents ?? [
    { type: 'text', text: status === 'incomplete' ? early + report : report },
  ];
  const consulted = [...(sources ?? []), ...(citations ?? [])].map(
    ({ url }) => url,
  );
  return {
    ...asked,
    outcome: 'reported',
    output,
    report,
    invocation,
    ...(consulted.length > 0 && { consulted }),
    ...(citations?.length && { citations }),
    ...(sources?.length && { sources }),
  };
}

function fault(code: string, message: string): Part[] {
  return [{ type: 'value', value: { code, message } }];
}
