import type {
  Response,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import {
  responseError,
  responseShape,
  responseUsage,
  seconds,
  type WireResponse,
} from '../../../platform/http/openai/response-shape';
import type { RunRecord } from '../../../runs/record/run-record';
import { isFinal } from '../../../runs/record/run';
import { responseIdOf } from '../response-id';
import type { ShownRun } from '../response-request';

/** Text was withheld. The types of OpenAI know one other reason of an early end: the output ends before its end. */
const WITHHELD = ['content_filter', 'content_policy', 'model_refused'];

/** A response without its output. */
export function unfinished(
  run: ShownRun,
  status: 'queued' | 'in_progress' | 'cancelled',
): Response {
  return asResponse({ ...constants(run), status, output: [] });
}

/** A response after its end, with the items that its events have built. */
export function finished(
  run: ShownRun,
  record: RunRecord,
  output: ResponseOutputItem[],
): Response {
  const status = finalStatus(record);
  const { usage, completedMs } = record;
  return asResponse({
    ...constants(run, record),
    status,
    ...(status === 'completed' && { completed_at: seconds(completedMs ?? 0) }),
    error: status === 'completed' ? null : errorOf(record, status),
    incomplete_details:
      status === 'incomplete' ? { reason: reasonOf(record) } : null,
    output,
    ...(usage && { usage: responseUsage(usage) }),
  });
}

/** A response of a record whose output is not read. */
export function statusOf(record: RunRecord): 'queued' | 'in_progress' {
  return record.status === 'queued' ? 'queued' : 'in_progress';
}

type FinalStatus = 'completed' | 'incomplete' | 'failed' | 'cancelled';

export function finalStatus({ status }: RunRecord): FinalStatus {
  return isFinal(status) ? status : 'failed';
}

/** What every state of it has, and of one that ended early why it did. */
function constants(
  { id, createdMs, request }: ShownRun,
  ended?: RunRecord,
): WireResponse {
  // What the form of OpenAI has no field for, as in responses of chats.
  const sonde = {
    ...(request.notices && { notices: request.notices }),
    ...(ended?.status === 'incomplete' &&
      ended.error && { error: ended.error }),
  };
  return responseShape({
    id: responseIdOf(id),
    createdMs,
    background: request.background,
    instructions: request.instructions,
    max_tool_calls: request.maxToolCalls,
    model: request.model,
    previous_response_id: request.previousResponseId,
    ...(request.reasoning && { reasoning: request.reasoning }),
    store: request.store,
    text: { format: request.format },
    tools: request.tools,
    metadata: request.metadata,
    ...(Object.keys(sonde).length > 0 && { sonde }),
  });
}

function asResponse(wire: WireResponse): Response {
  return wire as Response;
}

function errorOf({ error }: RunRecord, status: FinalStatus): Response['error'] {
  if (status === 'incomplete') return null;
  return responseError(
    error ?? {
      code: 'internal_error',
      message: 'The run ended without a result.',
    },
  );
}

/** Of a run that ended `incomplete`. */
export function reasonOf({
  error,
}: RunRecord): NonNullable<Response.IncompleteDetails['reason']> {
  const isWithheld = WITHHELD.includes(error?.code ?? '');
  return isWithheld ? 'content_filter' : 'max_output_tokens';
}
