import type { Environment } from '../../environment';

const NAME = 'RELAY_AGENT_CONTEXT_TOKENS';
const EXAMPLE = '32768, or my-llama*:8192,*:65536';
/** What most servers of local models are started with allows it, and every hosted model exceeds it. */
const DEFAULT = 32_768;
/** A stage needs room for its instructions, one page and its answer. */
const MIN = 4_096;
const MAX = 10_000_000;

/** One number for all models, or one for each pattern. `*` always has one. */
export function readContextTokens(
  env: Environment,
): ReadonlyMap<string, number> {
  const value = env.optional(NAME);
  const listed = value?.includes(':')
    ? env.pairs(NAME, /^\d+$/, 'number of tokens', EXAMPLE)
    : new Map([['*', value ?? String(DEFAULT)]]);
  const tokens = new Map([['*', DEFAULT]]);
  for (const [pattern, given] of listed)
    tokens.set(pattern, tokensIn(given, env));
  return tokens;
}

function tokensIn(given: string, env: Environment): number {
  const tokens = /^\d+$/.test(given) ? Number(given) : NaN;
  if (Number.isNaN(tokens))
    return env.fail(NAME, `is "${given}", not a whole number`, EXAMPLE);
  return tokens < MIN || tokens > MAX
    ? env.fail(NAME, `has ${given}, outside ${MIN}..${MAX}`, EXAMPLE)
    : tokens;
}
