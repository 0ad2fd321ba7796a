import { createHash } from 'node:crypto';
import { keysCommand } from '../../support/processes/keys-command';

/** Of every model, in dollars. */
export const PRICE = { inputPerMillion: 10, outputPerMillion: 100 };
/** Nano-dollars of one token at this price. */
const NANO_PER_TOKEN = { input: 10_000, output: 100_000 };

const CONFIGURED = 'key-of-the-chaos-caller';
const STORED = ['chaos-1', 'chaos-2'];
/** Never spent: with a budget, each call of the agent is reserved and booked. */
const BUDGET = ['--budget', 'day_usd:100000'];

/** A key that submits, and the account on which that is counted. */
export interface ChaosCaller {
  secret: string;
  account: string;
}

/** The caller that is part of the configuration. */
export const CONFIGURED_CALLER: ChaosCaller = {
  secret: CONFIGURED,
  account: '@chaos',
};

export const CALLER_ENV = {
  RELAY_API_KEYS: `chaos:${createHash('sha256').update(CONFIGURED).digest('hex')}`,
};

/** The configured key and some stored ones. */
export async function makeCallers(redisUrl: string): Promise<ChaosCaller[]> {
  const env = { REDIS_URL: redisUrl, RELAY_REQUIRE_KEYS: 'true' };
  const stored = STORED.map(async (name) => {
    const scopes = 'chat,research,read';
    const args = ['create', name, '--scopes', scopes, ...BUDGET];
    const { body, errors } = await keysCommand(env, ...args);
    if (!body) throw new Error(`no key was made: ${errors}`);
    return { secret: body.key as string, account: body.id as string };
  });
  return [CONFIGURED_CALLER, ...(await Promise.all(stored))];
}

/** Always the same for one marker. */
export function callerOf(
  callers: readonly ChaosCaller[],
  marker: string,
): ChaosCaller {
  const [, n] = /-(\d+)-end$/.exec(marker)!;
  return callers[Number(n) % callers.length];
}

/** In nano-dollars. */
export function priceOf(tokens?: {
  input_tokens: number;
  output_tokens: number;
}): number {
  if (!tokens) return 0;
  return (
    tokens.input_tokens * NANO_PER_TOKEN.input +
    tokens.output_tokens * NANO_PER_TOKEN.output
  );
}
