import { type AppConfig, CHAT_ENGINES } from '../config';
import {
  DEFAULT_CHAT_MODELS,
  DEFAULT_RESEARCH_MODELS,
} from './models/default-models';
import type { Environment } from '../environment';

type Upstream = AppConfig['upstream'];

/** Paths of the API, which are often copied along with the base URL. */
const ENDPOINT = /\/(chat\/completions|completions|responses)$/;

const MAX_FORWARDED = 32;

/** Headers that this service sets, that belong to one connection, or that carry credentials. */
const NEVER_FORWARDED =
  /^(authorization|(set-)?cookie2?|.*(api-?key|token|secret).*|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-.*|accept.*|expect|user-agent|forwarded|x-forwarded-.*|x-litellm-.*|idempotency-key|traceparent|tracestate)$/;

const AUTO = 'auto';
/** The Agents SDK costs several times the CPU of the own loop, and a chat without agents or hosted tools gains nothing by it. */
const AUTO_ENGINES: Upstream['chatEngines'] = {
  agentic: CHAT_ENGINES,
  bare: ['responses', 'prompt'],
};

export function readModels(
  env: Environment,
): Pick<Upstream, 'chatModel' | 'researchModels' | 'namedModels'> {
  const chat = env.optional('LITELLM_CHAT_MODEL');
  const research = env.optional('LITELLM_MODEL');
  const named = env.list('RELAY_RESEARCH_MODELS', research ? [research] : []);
  return {
    chatModel: chat ?? DEFAULT_CHAT_MODELS[0],
    researchModels: named.length > 0 ? named : [DEFAULT_RESEARCH_MODELS[0]],
    namedModels: { research: named.length > 0, chat: chat !== undefined },
  };
}

/** What a header can carry: a pasted key may have a line break or an invisible character in it. */
export function readEndpointKey(env: Environment): string | undefined {
  const key = env.optional('LITELLM_API_KEY');
  const [unsendable] = /[^\x20-\x7e]/u.exec(key ?? '') ?? [];
  if (unsendable === undefined) return key;
  const code = unsendable.codePointAt(0)!.toString(16).toUpperCase();
  return env.fail(
    'LITELLM_API_KEY',
    `has the character U+${code.padStart(4, '0')} in it, which cannot be sent`,
    'sk-1234',
  );
}

/** Always ends in `/v1`, or in the given version. */
export function readBaseUrl(env: Environment): string | undefined {
  const name = 'LITELLM_BASE_URL';
  const value = env.optional(name);
  if (value === undefined) return undefined;
  const fail = (fault: string, example = 'https://api.openai.com/v1'): never =>
    env.fail(name, fault, example);
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    return fail('is not an http(s) URL');
  if (url.username || url.password)
    return fail('holds credentials; use LITELLM_API_KEY');
  if (url.search || url.hash) return fail('has a query or a fragment');
  const path = url.pathname.replace(/\/+$/, '');
  const [endpoint] = ENDPOINT.exec(path) ?? [];
  if (endpoint)
    return fail(
      `ends in ${endpoint}, which is a path of the API and not its base`,
      url.origin + path.slice(0, -endpoint.length),
    );
  return `${url.origin}${/\/v\d+$/.test(path) ? path : `${path}/v1`}`;
}

/** Names of request headers that are forwarded to the endpoint, in lower case. */
export function readForwardedHeaders(env: Environment): string[] {
  const name = 'RELAY_FORWARD_HEADERS';
  const example = 'x-tenant-id,x-cost-center';
  const names = env.list(name, []).map((one) => one.toLowerCase());
  for (const one of names) {
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(one))
      env.fail(name, `names "${one}", which is no header`, example);
    if (NEVER_FORWARDED.test(one))
      env.fail(name, `names "${one}", which is never forwarded`, example);
  }
  if (names.length > MAX_FORWARDED)
    env.fail(name, `names more than ${MAX_FORWARDED} headers`, example);
  return [...new Set(names)];
}

export function readChatEngines(
  env: Environment,
): Pick<Upstream, 'chatEngines' | 'promptedModels'> {
  const name = 'RELAY_CHAT_ENGINES';
  const promptedModels = env.list('DISABLE_NATIVE_TOOLS_FOR_MODELS', []);
  const given = env.list(name, [AUTO]);
  if (given.length > 1 && given.includes(AUTO))
    env.fail(name, `names "${AUTO}" beside other engines`, AUTO);
  if (given[0] === AUTO) return { chatEngines: AUTO_ENGINES, promptedModels };
  const listed = env.someOf(name, CHAT_ENGINES);
  if (promptedModels.length > 0 && !listed.includes('prompt'))
    env.fail(
      name,
      'lacks prompt, which DISABLE_NATIVE_TOOLS_FOR_MODELS needs',
      CHAT_ENGINES.join(','),
    );
  return { chatEngines: { agentic: listed, bare: listed }, promptedModels };
}
