import type { ResponseInputItem } from 'openai/resources/responses/responses';
import type { ContextSetting } from '../control/settings';
import { ApiError } from '../wire/api-error';
import type { Ask } from '../writer/request/ask';
import { usageOf } from './usage';

/** The request within the context of the model. @throws the refusal of a server that does not cut it. */
export function withinContext(ask: Ask, context: ContextSetting | null): Ask {
  if (!context) return ask;
  const asked = inputOf(ask);
  const wanted = Number.isFinite(ask.maxOutputTokens) ? ask.maxOutputTokens : 0;
  if (context.server === 'ollama') return cut(ask, context.tokens);
  const { server, tokens } = context;
  if (server === 'llama.cpp' && asked >= tokens) throw ofLlama(tokens, asked);
  if (server === 'vllm' && asked + wanted > tokens)
    throw ofVllm(tokens, asked, wanted);
  return ask;
}

const ofLlama = (n_ctx: number, n_prompt_tokens: number) =>
  new ApiError(
    400,
    `request (${n_prompt_tokens} tokens) exceeds the available context size (${n_ctx} tokens), try increasing it`,
    null,
    400,
    'exceed_context_size_error',
    { n_prompt_tokens, n_ctx },
  );

const ofVllm = (most: number, asked: number, wanted: number) =>
  new ApiError(
    400,
    `This model's maximum context length is ${most} tokens. However, you requested ${wanted} output tokens and your prompt contains at least ${asked} input tokens, for a total of at least ${asked + wanted} tokens.`,
    null,
    400,
    'BadRequestError',
  );

const inputOf = (ask: Ask): number => usageOf(ask, [], 0).input_tokens;

/** The oldest messages go first, those of the system last. */
function cut(ask: Ask, tokens: number): Ask {
  let { items } = ask;
  while (inputOf({ ...ask, items }) > tokens) {
    const oldest = items.findIndex((item) => !isSystem(item));
    if (oldest < 0 || items.length === 1) break;
    items = items.filter((_, index) => index !== oldest);
  }
  return { ...ask, items };
}

const isSystem = (item: ResponseInputItem): boolean =>
  'role' in item && /^(system|developer)$/.test(item.role);
