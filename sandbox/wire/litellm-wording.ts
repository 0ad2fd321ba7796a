import type { ApiError } from './api-error';
import { isObject } from './json';

export const LITELLM_VERSIONS = ['1.106.2', '1.108.7'] as const;
export const LITELLM_PROVIDERS = ['openai', 'hosted_vllm', 'deepseek'] as const;

/** The proxy whose wording errors have, and the provider it takes the endpoint for. */
export interface LiteLlmWording {
  version: (typeof LITELLM_VERSIONS)[number];
  provider: (typeof LITELLM_PROVIDERS)[number];
}

/** The create that failed. */
export interface FailedCreate {
  path: string;
  model: string;
}

/** Undefined for any other request. */
export function createOf(
  path: string,
  body: unknown,
): FailedCreate | undefined {
  if (path !== '/responses' && path !== '/chat/completions') return undefined;
  const model = isObject(body) ? body.model : undefined;
  return { path, model: typeof model === 'string' ? model : '' };
}

const NAMES: Record<LiteLlmWording['provider'], string> = {
  openai: 'OpenAIException',
  hosted_vllm: 'Hosted_vllmException',
  deepseek: 'DeepseekException',
};
const CLASSES: Record<number, string> = {
  401: 'AuthenticationError',
  404: 'NotFoundError',
  429: 'RateLimitError',
  500: 'InternalServerError',
  503: 'ServiceUnavailableError',
};
const TYPES: Record<number, string> = {
  401: 'authentication_error',
  429: 'rate_limit_error',
  500: 'internal_server_error',
  503: 'internal_server_error',
};
/** Whose classes have no parameter. */
const FORGETFUL = [401, 404, 503];
const OVERFLOW = /context size|context length|context window/i;

/** The body with which the proxy passes an error on, as seen of these versions. */
export function inLiteLlmWording(
  error: ApiError,
  { path, model }: FailedCreate,
  { version, provider }: LiteLlmWording,
): object {
  const { status, message, type, param, code, more } = error;
  // Only here is the body of the endpoint read; otherwise it is quoted as a whole.
  const isRead = provider === 'openai' && path === '/chat/completions';
  const quoted = isRead
    ? message
    : asPython({ error: { message, type, param, code, ...more } });
  const isBadRequest =
    !isRead || (version === '1.106.2' && type === 'invalid_request_error');
  const named = CLASSES[status];
  const kind =
    status === 429 && isRead
      ? twice(named)
      : isBadRequest || !named
        ? 'litellm.BadRequestError: '
        : twice(named);
  const overflow = OVERFLOW.test(message);
  const begin = overflow
    ? 'litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: '
    : kind;
  const middle = overflow
    ? `\nmodel=${model}. context_window_fallbacks=None. fallbacks=None.\n\nSet 'context_window_fallback' - https://docs.litellm.ai/docs/routing#fallbacks`
    : '';
  return {
    error: {
      message: `${begin}${NAMES[provider]} - ${quoted}${middle}\n\nLiteLLM: model group '${model}' failed with the error above. No fallback was attempted.`,
      type: typeOf(error, isRead, version),
      param:
        isRead && (isBadRequest || !FORGETFUL.includes(status)) ? param : null,
      code: String(status),
    },
  };
}

const twice = (name: string) => `litellm.${name}: ${name}: `;

function typeOf(
  { status, type }: ApiError,
  isRead: boolean,
  version: string,
): string {
  if (isRead && status === 429) return 'throttling_error';
  if (isRead && version === '1.106.2' && type === 'invalid_request_error')
    return type;
  return TYPES[status] ?? 'invalid_request_error';
}

/** As Python's json.dumps writes it. */
function asPython(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${asPython(one)}`,
  );
  return `{${fields.join(', ')}}`;
}
