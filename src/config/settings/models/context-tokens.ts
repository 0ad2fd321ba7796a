import type { Environment } from '../../environment';

const EXAMPLE = '32768, or my-llama*:8192,*:65536';
const MAX = 10_000_000;

interface Setting {
  name: string;
  /** For every model that is not named. */
  default: number;
  min: number;
}

/** What most servers of local models are started with allows it, and every hosted model exceeds it. */
const CONTEXT: Setting = {
  name: 'RELAY_AGENT_CONTEXT_TOKENS',
  default: 32_768,
  // A stage needs room for its instructions, one page and its answer.
  min: 4_096,
};
const OUTPUT: Setting = {
  name: 'RELAY_MAX_OUTPUT_TOKENS',
  default: 16_384,
  // The fewest that Responses accepts.
  min: 16,
};

export function readContextTokens(
  env: Environment,
): ReadonlyMap<string, number> {
  return readTokens(env, CONTEXT);
}

export function readOutputTokens(
  env: Environment,
): ReadonlyMap<string, number> {
  return readTokens(env, OUTPUT);
}

/** One number for all models, or one for each pattern. `*` always has one. */
function readTokens(
  env: Environment,
  setting: Setting,
): ReadonlyMap<string, number> {
  const value = env.optional(setting.name);
  const listed = value?.includes(':')
    ? env.pairs(setting.name, /^\d+$/, 'number of tokens', EXAMPLE)
    : new Map([['*', value ?? String(setting.default)]]);
  const tokens = new Map([['*', setting.default]]);
  for (const [pattern, given] of listed)
    tokens.set(pattern, tokensIn(given, setting, env));
  return tokens;
}

function tokensIn(
  given: string,
  { name, min }: Setting,
  env: Environment,
): number {
  const tokens = /^\d+$/.test(given) ? Number(given) : NaN;
  if (Number.isNaN(tokens))
    return env.fail(name, `is "${given}", not a whole number`, EXAMPLE);
  return tokens < min || tokens > MAX
    ? env.fail(name, `has ${given}, outside ${min}..${MAX}`, EXAMPLE)
    : tokens;
}
