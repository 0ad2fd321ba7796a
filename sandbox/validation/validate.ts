import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { badRequest } from '../wire/api-error';
import { isReasoningModel } from '../writer/ask';
import { isObject } from '../wire/json';
import type { Settings } from '../control/settings';
import { checkModel } from '../responses/models';
import { checkTools } from './validate-tools';

const KNOWN = new Set(
  `access_programs background context_management conversation image include input instructions max_output_tokens
  max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options
  prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice
  tools top_logprobs top_p truncation user`.split(/\s+/),
);
const LEAST_OUTPUT_TOKENS = 16;

/** The body of POST /v1/responses, or the 400 that the upstream would answer. */
export function validateCreate(
  body: unknown,
  settings: Settings,
): ResponseCreateParams {
  if (!isObject(body))
    throw badRequest('The body of the request must be a JSON object.');
  const unknown = Object.keys(body).find((key) => !KNOWN.has(key));
  if (unknown !== undefined)
    throw badRequest(
      `Unknown parameter: '${unknown}'.`,
      unknown,
      'unknown_parameter',
    );
  for (const name of ['model', 'input'])
    if (body[name] === undefined || body[name] === null) throw missing(name);
  if (typeof body.model !== 'string') throw wrongType('model', 'a string');
  if (typeof body.input !== 'string' && !Array.isArray(body.input))
    throw wrongType('input', 'a string or an array of input items');
  checkModel(body.model, settings);
  checkMetadata(body.metadata);
  const params = body as unknown as ResponseCreateParams & { model: string };
  checkBackground(params, settings);
  checkSampling(body, params.model);
  checkOutputTokens(body.max_output_tokens);
  if (body.conversation)
    throw badRequest(
      "Unsupported parameter: 'conversation' is not supported by the sandbox.",
      'conversation',
      'unsupported_parameter',
    );
  checkTools(params, settings);
  return params;
}

export const missing = (name: string) =>
  badRequest(
    `Missing required parameter: '${name}'.`,
    name,
    'missing_required_parameter',
  );

export const wrongType = (name: string, wanted: string) =>
  badRequest(
    `Invalid type for '${name}': expected ${wanted}.`,
    name,
    'invalid_type',
  );

function checkBackground(
  params: ResponseCreateParams,
  settings: Settings,
): void {
  if (params.background !== true) return;
  if (!settings.background)
    throw badRequest(
      "Unsupported parameter: 'background' is not supported with this model.",
      'background',
      'unsupported_parameter',
    );
  if (params.store === false)
    throw badRequest(
      "Unsupported parameter: 'background' requires 'store' to be true.",
      'background',
      'unsupported_parameter',
    );
}

export function checkSampling(
  body: Record<string, unknown>,
  model: string,
): void {
  if (!isReasoningModel(model)) return;
  const effort = isObject(body.reasoning)
    ? body.reasoning.effort
    : body.reasoning_effort;
  if (effort === 'none') return;
  const given = ['temperature', 'top_p'].find(
    (name) => body[name] !== undefined && body[name] !== null,
  );
  if (given !== undefined)
    throw badRequest(
      `Unsupported parameter: '${given}' is not supported with this model.`,
      given,
    );
}

function checkOutputTokens(given: unknown): void {
  if (typeof given === 'number' && given < LEAST_OUTPUT_TOKENS)
    throw badRequest(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${LEAST_OUTPUT_TOKENS}, but got ${given} instead.`,
      'max_output_tokens',
      'integer_below_min_value',
    );
}

export function checkMetadata(metadata: unknown): void {
  if (metadata === undefined || metadata === null) return;
  if (!isObject(metadata)) throw wrongType('metadata', 'an object');
  const pairs = Object.entries(metadata);
  if (pairs.length > 16)
    throw badRequest(
      `Invalid 'metadata': too many properties. Expected an object with at most 16 properties, but got an object with ${pairs.length} properties instead.`,
      'metadata',
      'object_above_max_properties',
    );
  for (const [key, value] of pairs) {
    if (typeof value !== 'string')
      throw wrongType(`metadata.${key}`, 'a string');
    const [what, length, most] =
      key.length > 64 ? ['key', key.length, 64] : ['value', value.length, 512];
    if (length > most)
      throw badRequest(
        `Invalid 'metadata': ${what} too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`,
        'metadata',
        'string_above_max_length',
      );
  }
}
