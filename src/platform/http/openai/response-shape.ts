import type {
  Response,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses';

/** A response as it is sent. What it lacks an SDK adds itself, or OpenAI has no use for outside of its own service. */
export type WireResponse = Omit<Response, 'output_text' | 'access_programs'>;

type Without<E> = E extends unknown ? Omit<E, 'sequence_number'> : never;
/** An event that has no number yet. */
export type Unnumbered = Without<ResponseStreamEvent>;

/** What a response repeats of its request, or has from its beginning. */
export type GivenResponse = Pick<
  WireResponse,
  'id' | 'background' | 'instructions' | 'model' | 'tools' | 'metadata'
> &
  Partial<WireResponse> & { createdMs: number; store: boolean };

/** What every state of a response has, in the order of OpenAI. */
export function responseShape({
  id,
  createdMs,
  background,
  instructions,
  model,
  store,
  tools,
  metadata,
  ...more
}: GivenResponse): WireResponse {
  return {
    id,
    object: 'response',
    created_at: seconds(createdMs),
    status: 'queued',
    background,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions,
    max_output_tokens: null,
    max_tool_calls: null,
    model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'default',
    ...({ store } as object),
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools,
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    metadata,
    ...more,
  };
}

export function responseUsage({
  input_tokens,
  output_tokens,
  total_tokens,
}: Record<
  'input_tokens' | 'output_tokens' | 'total_tokens',
  number
>): ResponseUsage {
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens,
  };
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** The codes of the SDK's types are few; the message begins with that of this service. */
const ERROR_CODES: Record<string, 'rate_limit_exceeded' | 'invalid_prompt'> = {
  upstream_rate_limited: 'rate_limit_exceeded',
  upstream_quota_exceeded: 'rate_limit_exceeded',
  content_policy: 'invalid_prompt',
  context_length_exceeded: 'invalid_prompt',
};

export function responseError({
  code,
  message,
}: {
  code: string;
  message: string | null;
}): Response['error'] {
  return {
    code: ERROR_CODES[code] ?? 'server_error',
    message: `${code}: ${message}`,
    // Without them some clients show no message.
    type: 'server_error',
    param: '',
  };
}
