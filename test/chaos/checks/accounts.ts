import { isDeepStrictEqual } from 'node:util';
import type { Redis } from 'ioredis';
import { SPEND_KEYS } from '../../../src/tenants/spend/spend-keys';
import { nanoOf } from '../../../src/tenants/spend/account.store';
import { until } from '../../support/until';
import type { ChaosCaller } from '../fleet/callers';
import type { Fleet } from '../fleet/fleet';

/** The account of one key, in nano-dollars. */
export interface Account {
  account: string;
  /** By id, what is counted of each run of research. */
  runs: Map<string, number>;
  /** What its key reads: runs of research with any usage, and their cost. */
  shown: { runs: number; nano: number };
}

interface Usage {
  data: { usage: { kind: string; count: number; cost_usd: number }[] }[];
}

export function readAccounts(fleet: Fleet, redis: Redis): Promise<Account[]> {
  return Promise.all(
    fleet.callers.map(async (caller) => ({
      account: caller.account,
      ...(await readBoth(caller, fleet, redis)),
    })),
  );
}

/** Both of the same moment: a run whose submission was lost may still be counted. */
function readBoth(
  caller: ChaosCaller,
  fleet: Fleet,
  redis: Redis,
): Promise<Pick<Account, 'runs' | 'shown'>> {
  return until(
    'two readings of all runs that are alike',
    async () => {
      const before = await readRuns(caller, redis);
      const shown = await readShown(caller, fleet);
      const runs = await readRuns(caller, redis);
      const isSame = isDeepStrictEqual(before, runs);
      return isSame && { runs, shown };
    },
    120_000,
  );
}

async function readRuns(
  { account }: ChaosCaller,
  redis: Redis,
): Promise<Map<string, number>> {
  const prefix = SPEND_KEYS.counted(account, '');
  const keys = await redis.keys(`${prefix}inv_*`);
  const runs = new Map<string, number>();
  for (const key of keys)
    runs.set(
      key.slice(prefix.length),
      Number((await redis.hget(key, 'nano')) ?? 0),
    );
  return runs;
}

async function readShown(
  { secret }: ChaosCaller,
  fleet: Fleet,
): Promise<Account['shown']> {
  const body = await until<Usage>(
    'the usage of a key',
    async (saw) => {
      const reply = saw(await fleet.client(0).as(secret).get('/api/v1/usage'));
      return reply.status === 200 ? (reply.body as Usage) : undefined;
    },
    120_000,
  );
  const lines = body.data
    .flatMap(({ usage }) => usage)
    .filter(({ kind }) => kind === 'research');
  return {
    runs: lines.reduce((sum, { count }) => sum + count, 0),
    nano: lines.reduce((sum, { cost_usd }) => sum + nanoOf(cost_usd), 0),
  };
}
