import { ApiError } from '../wire/api-error';
import type { Dialect } from '../wire/dialect';
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
  /** Parameters that are refused, one per response: `background`, `reasoning.summary`, `tools.web_search`. */
  refuses?: string[];
  /** The server whose wording a refusal has. */
  wording?: Wording;
}

export const WORDINGS = ['openai', 'azure', 'litellm', 'pydantic'] as const;
export type Wording = (typeof WORDINGS)[number];

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
  background: boolean;
  dialect: Dialect;
  models: Record<string, ModelSetting>;
  webhook: WebhookSetting | null;
}

export const defaultSettings = (turnMs = 20, researchMs = 1500): Settings => ({
  turn_ms: turnMs,
  research_ms: researchMs,
  stream_window_ms: 5 * 60_000,
  background: true,
  dialect: 'openai',
  models: {},
  webhook: null,
});

const isDuration = (v: unknown) => typeof v === 'number' && v >= 0;
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
          (/^(gone|hosted|chat_only)$/.test(key) && typeof value === 'boolean'),
      ),
  );

const checks: Record<keyof Settings, [(v: unknown) => boolean, string]> = {
  turn_ms: [isDuration, 'milliseconds, 0 or more'],
  research_ms: [isDuration, 'milliseconds, 0 or more'],
  stream_window_ms: [isDuration, 'milliseconds, 0 or more'],
  background: [(v) => typeof v === 'boolean', 'true or false'],
  dialect: [(v) => v === 'openai' || v === 'litellm', '"openai" or "litellm"'],
  models: [
    isModels,
    '{"<model>": {"shutdown_date"?: string, "gone"?: bool, "hosted"?: bool, "chat_only"?: bool, "refuses"?: string[], "wording"?: "openai|azure|litellm|pydantic"}}',
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
