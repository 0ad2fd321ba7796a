import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isPrintable } from '../http/transport.js';
import { invalidUrlReason } from '../http/urls.js';
import type { Flags } from './flags.js';
import { TOKEN } from './tokens.js';
import { usageError } from './usage-error.js';

type Values = Record<string, string | undefined>;

export interface Endpoint {
  baseUrl: string;
  apiKey?: string;
}

/** Only the settings that the run needs are read and validated. */
export interface Settings {
  model?: Endpoint & { model: string };
  /** `token`: of a run started elsewhere. */
  sonde?: Endpoint & { token?: string };
}

/** Reads settings from the environment, then from `~/.env`. Throws at the first invalid one. */
export function readSettings(flags: Flags, env: Values): Settings {
  const file = readEnvFile();
  const get = (name: string) => env[name] || file[name] || undefined;
  const settings: Settings = {};
  if (flags.target === 'direct') {
    const example = 'https://api.openai.com/v1';
    const baseUrl =
      get('LITELLM_BASE_URL') ??
      usageError(`LITELLM_BASE_URL is not set, e.g. ${example}`);
    settings.model = {
      ...endpoint('LITELLM', baseUrl, get),
      model: get('LITELLM_MODEL') ?? 'gpt-4o',
    };
  }
  if (flags.target === 'relay' || flags.autoToolCall) {
    const baseUrl = get('RELAY_BASE_URL') ?? 'http://127.0.0.1:8080';
    const token = flags.command && get(TOKEN);
    if (!isPrintable(token)) usageError(`${TOKEN}: must be printable ASCII`);
    settings.sonde = { ...endpoint('RELAY', baseUrl, get), token };
  }
  return settings;
}

function endpoint(
  prefix: string,
  baseUrl: string,
  get: (name: string) => string | undefined,
): Endpoint {
  const reason = invalidUrlReason(baseUrl);
  if (reason !== null) usageError(`${prefix}_BASE_URL: ${reason}`);
  const apiKey = get(`${prefix}_API_KEY`);
  if (!isPrintable(apiKey))
    usageError(`${prefix}_API_KEY: must be printable ASCII`);
  return { baseUrl, apiKey };
}

function readEnvFile(): Values {
  try {
    const home = homedir();
    // An empty home directory would select the `.env` of the current directory.
    if (home === '') return {};
    return parseEnv(readFileSync(join(home, '.env'), 'utf8'));
  } catch {
    // The file or the home directory does not exist.
    return {};
  }
}

/** Parses KEY=VALUE lines and ignores all others. */
export function parseEnv(text: string): Values {
  const values: Values = {};
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    const [, name, value] =
      /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined) values[name] = unquoted(value!);
  }
  return values;
}

function unquoted(value: string): string {
  const quoted = /^(["'])(.*?)\1/.exec(value);
  return quoted ? quoted[2]! : value.replace(/(^|\s+)#.*$/, '');
}
