import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { ApiError, badRequest } from '../wire/api-error';
import { isReasoningModel } from '../writer/request/ask';
import { isObject } from '../wire/json';
import type { Settings } from '../control/settings';
import { checkModel } from '../responses/models';
import { checkMetadata, checkStreamOptions } from './limits';
import { missing, unsupported } from './refusals';
import { checkShape } from './shape';
import { checkTools } from './validate-tools';

const LEAST_OUTPUT_TOKENS = 16;

/** The body of POST /v1/responses, or the 400 that the upstream would return. */
export function validateCreate(
  body: unknown,
  settings: Settings,
): ResponseCreateParams {
  if (!isObject(body))
    throw badRequest('The body of the request must be a JSON object.');
  for (const name of ['model', 'input'])
    if (body[name] === undefined || body[name] === null) throw missing(name);
  checkShape(body, 'ResponsesBody');
  const params = body as unknown as ResponseCreateParams & { model: string };
  checkModel(params.model, settings);
  checkMetadata(params.metadata);
  checkStreamOptions(params);
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

function checkBackground(
  params: ResponseCreateParams,
  settings: Settings,
): void {
  if (params.background !== true) return;
  if (!settings.background) throw unsupported('background');
  if (settings.background === 'unstored') throw unstored();
  if (params.store === false)
    throw badRequest(
      "Unsupported parameter: 'background' requires 'store' to be true.",
      'background',
      'unsupported_parameter',
    );
}

/** In the words of vLLM, which stores nothing unless it is told to. */
const unstored = () =>
  new ApiError(
    400,
    'This vLLM engine does not support `store=True` and therefore does not support the background mode. To enable these features, set the environment variable `VLLM_ENABLE_RESPONSES_API_STORE=1` when launching the vLLM server.',
    'background',
    400,
  );

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
