import type {
  Response,
  ResponseOutputItem,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import type { RunRecord } from '../../runs/record/run.record';
import { isFinal } from '../../runs/run';
import { responseIdOf } from '../response.id';
import type { ShownRun } from '../response.request';

/** These an SDK adds itself, or OpenAI has no use for outside of its own service. */
type Wire = Omit<Response, 'output_text' | 'access_programs'>;

/** Reasons of an early end that OpenAI has a name for. */
const REASONS = ['max_output_tokens', 'content_filter'] as const;

/** The codes of the SDK's types are few; the message begins with that of this service. */
const ERROR_CODES: Record<string, 'rate_limit_exceeded' | 'invalid_prompt'> = {
  upstream_rate_limited: 'rate_limit_exceeded',
  upstream_quota_exceeded: 'rate_limit_exceeded',
  content_policy: 'invalid_prompt',
  context_length_exceeded: 'invalid_prompt',
};

/** A response before its end. */
export function unfinished(
  run: ShownRun,
  status: 'queued' | 'in_progress',
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
    ...constants(run),
    status,
    ...(status === 'completed' && { completed_at: seconds(completedMs ?? 0) }),
    error: status === 'completed' ? null : errorOf(record, status),
    incomplete_details: status === 'incomplete' ? reasonOf(record) : null,
    output,
    ...(usage && { usage: usageOf(usage) }),
  });
}

/** A response of a record whose output is not read. */
export function statusOf(record: RunRecord): 'queued' | 'in_progress' {
  return record.status === 'queued' ? 'queued' : 'in_progress';
}

type FinalStatus = 'completed' | 'incomplete' | 'failed' | 'cancelled';

/**
 * A report that is whole in itself is completed although a limit ended the search for more: SDKs treat an incomplete
 * response as an error.
 */
export function finalStatus({ status, error }: RunRecord): FinalStatus {
  if (!isFinal(status)) return 'failed';
  if (status === 'incomplete' && error?.code === 'research_limit_reached')
    return 'completed';
  return status;
}

/** What every state of it has, in the order of OpenAI. */
function constants({ id, createdMs, request }: ShownRun): Wire {
  return {
    id: responseIdOf(id),
    object: 'response',
    created_at: seconds(createdMs),
    status: 'queued',
    background: request.background,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: request.instructions,
    max_output_tokens: null,
    max_tool_calls: request.maxToolCalls,
    model: request.model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: request.previousResponseId,
    prompt_cache_key: null,
    reasoning: request.reasoning ?? { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'default',
    ...({ store: request.store } as object),
    temperature: 1,
    text: { format: request.format },
    tool_choice: 'auto',
    tools: request.tools,
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    metadata: request.metadata,
  };
}

function asResponse(wire: Wire): Response {
  return wire as Response;
}

function errorOf({ error }: RunRecord, status: FinalStatus): Response['error'] {
  if (status === 'incomplete') return null;
  const { code, message } = error ?? {
    code: 'internal_error',
    message: 'The run ended without a result.',
  };
  return {
    code: ERROR_CODES[code] ?? 'server_error',
    message: `${code}: ${message}`,
    // Without them some clients show no message.
    type: 'server_error',
    param: '',
  };
}

function reasonOf({ error }: RunRecord): Response.IncompleteDetails {
  const reason = REASONS.find((known) => known === error?.code);
  return reason ? { reason } : {};
}

function usageOf({
  input_tokens,
  output_tokens,
  total_tokens,
}: NonNullable<RunRecord['usage']>): ResponseUsage {
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens,
  };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
