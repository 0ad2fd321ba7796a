import type { Attributes } from '../../platform/tracing/attributes';
import { traceRunEnd } from '../../platform/tracing/tracing';
import type { Claim } from '../store/run-claim';
import type { RunRecord } from '../record/run-record';
import { storedNumber, storedTime } from '../record/stored-fields';

/** What the span of a run is made of. */
export type RunTrace = Pick<
  RunRecord,
  'id' | 'tool' | 'traceparent' | 'createdMs' | 'dueMs' | 'startedMs'
> & { engine?: string | null; crashes?: number };

export function runTraceOf({
  id,
  fields,
}: Pick<Claim, 'id' | 'fields'>): RunTrace {
  const { tool, traceparent, engine } = fields;
  return {
    id,
    tool,
    traceparent,
    engine,
    createdMs: storedNumber(fields.created_ms),
    dueMs: storedTime(fields.due_ms),
    startedMs: storedTime(fields.started_ms),
    crashes: storedNumber(fields.crashes),
  };
}

/** Makes the span of a run that has ended. The call of a tool is one, and a chat on record. */
export function traceEnd(
  { id, tool, traceparent, createdMs, dueMs, startedMs, ...run }: RunTrace,
  end: { status: string; code?: string; model?: string },
): void {
  const isCall = id.startsWith('inv_');
  const attributes: Attributes = {
    ...(isCall && { operation: 'execute_tool', tool }),
    run: id,
    kind: tool,
    engine: run.engine ?? undefined,
    crashes: run.crashes,
    status: end.status,
    answeredBy: end.model,
    ...(end.status === 'failed' && { error: end.code }),
  };
  traceRunEnd({
    id,
    traceparent,
    name: isCall ? `execute_tool ${tool}` : `run ${tool}`,
    createdMs: Math.max(createdMs, dueMs ?? 0),
    startedMs: startedMs ?? undefined,
    attributes,
  });
}
