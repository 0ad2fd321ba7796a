import { ApiError } from '../wire/api-error';
import type { Dialect } from '../wire/dialect';
import type { LiteLlmWording } from '../wire/litellm-wording';
import { LITELLM_PROVIDERS, LITELLM_VERSIONS } from '../wire/litellm-wording';
import { isObject } from '../wire/json';

export interface ModelSetting {
  /** `YYYY-MM-DD`; from that day the model is listed but cannot be used. */
  shutdown_date?: string;
  /** The model is neither listed nor usable. */
  gone?: boolean;
  /** False: it is bridged to Chat Completions and takes no hosted tools. */
  hosted?: boolean;
  /** Available at Chat Completions only. */
  chat_only?: boolean;
  /** The chat template has no place for tools. */
  drops_tools?: boolean;
  /** Tokens that the model thinks before each answer, within the limit of the request. */
  thinks?: number;
  /** Parameters that are refused, one per response: `background`, `reasoning.summary`, `tools.web_search`. */
  refuses?: string[];
  /** The server whose wording a refusal has. */
  wording?: Wording;
}

export const WORDINGS = ['openai', 'azure', 'litellm', 'pydantic'] as const;
export type Wording = (typeof WORDINGS)[number];

export const CONTEXT_SERVERS = ['llama.cpp', 'vllm', 'ollama'] as const;

/** What fits into the model, and the server that says so, or cuts the rest off. */
export interface ContextSetting {
  tokens: number;
  server: (typeof CONTEXT_SERVERS)[number];
}

export const OBEYED = ['all', 'chat_completions', 'responses', 'none'] as const;

/** The receiver of webhooks for finished background runs; `secret` as `whsec_<base64>` or any text. */
export interface WebhookSetting {
  url: string;
  secret: string;
}

/** Times in milliseconds. */
export interface Settings {
  turn_ms: number;
  research_ms: number;
  stream_window_ms: number;
  /** False, `unstored`: it is refused. `ignored`: the response is an ordinary one and ends with its reader. */
  background: boolean | 'ignored' | 'unstored';
  /** False: no response can be retrieved, cancelled, deleted or continued. */
  stores: boolean;
  /** Items of an input that have no `type` are refused. */
  strict_items: boolean;
  /** Where the schema of a request counts; elsewhere it is accepted and dropped. */
  schemas: (typeof OBEYED)[number];
  /** Null for any length. */
  context: ContextSetting | null;
  /** How many creates are worked on at once, the others wait; null for any number. */
  slots: number | null;
  /** How many requests are still refused because the model is being loaded. */
  loading: number;
  dialect: Dialect;
  /** Errors of creates as this version of the proxy words them; null for those of `dialect`. */
  litellm: LiteLlmWording | null;
  models: Record<string, ModelSetting>;
  webhook: WebhookSetting | null;
}

export const defaultSettings = (
  turnMs = 20,
  researchMs = 1500,
  strictItems = false,
): Settings => ({
  turn_ms: turnMs,
  research_ms: researchMs,
  stream_window_ms: 5 * 60_000,
  background: true,
  stores: true,
  strict_items: strictItems,
  schemas: 'all',
  context: null,
  slots: null,
  loading: 0,
  dialect: 'openai',
  litellm: null,
  models: {},
  webhook: null,
});

const isDuration = (v: unknown) => typeof v === 'number' && v >= 0;
const isCount = (v: unknown) => Number.isInteger(v) && Number(v) >= 0;
const isBoolean = (v: unknown) => typeof v === 'boolean';
const isModels = (v: unknown) =>
  isObject(v) &&
  Object.values(v).every(
    (m) =>
      isObject(m) &&
      Object.entries(m).every(
        ([key, value]) =>
          (key === 'shutdown_date' && typeof value === 'string') ||
          (key === 'wording' && WORDINGS.some((known) => known === value)) ||
          (key === 'refuses' &&
            Array.isArray(value) &&
            value.every((path) => typeof path === 'string')) ||
          (key === 'thinks' && isCount(value)) ||
          (/^(gone|hosted|chat_only|drops_tools)$/.test(key) &&
            typeof value === 'boolean'),
      ),
  );

const checks: Record<keyof Settings, [(v: unknown) => boolean, string]> = {
  turn_ms: [isDuration, 'milliseconds, 0 or more'],
  research_ms: [isDuration, 'milliseconds, 0 or more'],
  stream_window_ms: [isDuration, 'milliseconds, 0 or more'],
  background: [
    (v) => isBoolean(v) || v === 'ignored' || v === 'unstored',
    'true, false, "ignored" or "unstored"',
  ],
  stores: [isBoolean, 'true or false'],
  strict_items: [isBoolean, 'true or false'],
  schemas: [(v) => OBEYED.some((known) => known === v), OBEYED.join(', ')],
  context: [
    (v) =>
      v === null ||
      (isObject(v) &&
        isCount(v.tokens) &&
        CONTEXT_SERVERS.some((known) => known === v.server)),
    `null or {"tokens": number, "server": "${CONTEXT_SERVERS.join('|')}"}`,
  ],
  slots: [
    (v) => v === null || (isCount(v) && v !== 0),
    'null or a number, 1 or more',
  ],
  loading: [isCount, 'a number of requests, 0 or more'],
  dialect: [(v) => v === 'openai' || v === 'litellm', '"openai" or "litellm"'],
  litellm: [
    (v) =>
      v === null ||
      (isObject(v) &&
        LITELLM_VERSIONS.some((known) => known === v.version) &&
        LITELLM_PROVIDERS.some((known) => known === v.provider)),
    `null or {"version": "${LITELLM_VERSIONS.join('|')}", "provider": "${LITELLM_PROVIDERS.join('|')}"}`,
  ],
  models: [
    isModels,
    '{"<model>": {"shutdown_date"?: string, "gone"?: bool, "hosted"?: bool, "chat_only"?: bool, "drops_tools"?: bool, "thinks"?: number, "refuses"?: string[], "wording"?: "openai|azure|litellm|pydantic"}}',
  ],
  webhook: [
    (v) =>
      v === null ||
      (isObject(v) &&
        typeof v.url === 'string' &&
        typeof v.secret === 'string'),
    'null or {"url": string, "secret": string}',
  ],
};

/** The settings after `change`, which is refused as a whole if any part is invalid. */
export function changeSettings(current: Settings, change: unknown): Settings {
  if (!isObject(change))
    throw new ApiError(422, 'The configuration must be a JSON object.');
  for (const [key, value] of Object.entries(change)) {
    if (!Object.hasOwn(checks, key))
      throw new ApiError(
        422,
        `Unknown setting '${key}'. Known: ${Object.keys(checks).join(', ')}.`,
        key,
      );
    const [ok, wanted] = checks[key as keyof Settings];
    if (!ok(value))
      throw new ApiError(422, `Setting '${key}' must be ${wanted}.`, key);
  }
  return { ...current, ...change };
}
