import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../testbed/child';
import { repeat } from '../load';
import { now } from '../measure';
import { withTestbed, type Testbed } from '../testbed/testbed';
import { submitOne } from '../submission';
import { type Figure, round } from '../table';

const WARM_UP = 100;
const RUNS = 2_000;
/** By then the last runs have no subscriber left. */
const SETTLE_MS = 12_000;
/** Two renewals of every lock and three heartbeats of every lease. */
const WATCH_MS = 30_000;

interface Cost {
  /** Of the worker, bytes per run. */
  rss: number;
  heap: number;
  /** Of Redis, bytes per run. */
  redis: number;
  /** Of one core, for all runs together. */
  cpu: number;
}

interface Holder {
  worker: Child;
  add: (count: number) => Promise<unknown>;
  /** How many runs are active now. */
  active: () => Promise<number>;
}

/** What a run that only waits costs, against a job whose processor awaits a promise. */
export async function memory(): Promise<Figure[]> {
  const bare = await withTestbed((testbed) => measure(testbed, bareHolder));
  const sonde = await withTestbed((testbed) => measure(testbed, sondeHolder));
  const row = (
    what: string,
    unit: number,
    of: (cost: Cost) => number,
  ): Figure => ({
    what,
    sonde: round(of(sonde) / unit),
    bare: round(of(bare) / unit),
    ratio: (of(sonde) / of(bare)).toFixed(2),
  });
  const runs = `${RUNS.toLocaleString('en')} waiting runs`;
  return [
    row(`${runs}: worker RSS, KB each`, 1024, ({ rss }) => rss),
    row(`${runs}: worker heap, KB each`, 1024, ({ heap }) => heap),
    row(`${runs}: Redis memory, KB each`, 1024, ({ redis }) => redis),
    row(`${runs}: worker CPU, % of a core`, 0.01, ({ cpu }) => cpu),
  ];
}

async function bareHolder(testbed: Testbed): Promise<Holder> {
  const adder = await testbed.add('bench/testbed/bare-adder');
  const worker = await testbed.add('bench/testbed/bare-worker', { HOLD: '1' });
  return {
    worker,
    add: (count) => adder.request('add', { callers: 16, count }),
    active: () => worker.request('active'),
  };
}

async function sondeHolder(testbed: Testbed): Promise<Holder> {
  const upstream = await testbed.add('bench/testbed/fixed-upstream', {
    HOLD: '1',
  });
  const env = { LITELLM_BASE_URL: upstream.url };
  const api = await testbed.add('src/app/main', env);
  const worker = await testbed.add('src/app/worker', env);
  return {
    worker,
    add: (count) => repeat({ callers: 16, count }, () => submitOne(api.url)),
    active: () => upstream.request('started'),
  };
}

async function measure(
  testbed: Testbed,
  holderOn: (testbed: Testbed) => Promise<Holder>,
): Promise<Cost> {
  const { worker, add, active } = await holderOn(testbed);
  const reach = async (count: number): Promise<void> => {
    while ((await active()) < count) await sleep(50);
    await sleep(SETTLE_MS);
  };
  await add(WARM_UP);
  await reach(WARM_UP);
  const before = await worker.settledUsage();
  const redisBefore = await usedMemory(testbed);
  await add(RUNS);
  await reach(WARM_UP + RUNS);
  const after = await worker.settledUsage();
  const redis = ((await usedMemory(testbed)) - redisBefore) / RUNS;
  const [cpuBefore, start] = [(await worker.usage()).cpuSeconds, now()];
  await sleep(WATCH_MS);
  const cpu = (await worker.usage()).cpuSeconds - cpuBefore;
  return {
    rss: (after.rssBytes - before.rssBytes) / RUNS,
    heap: (after.heapBytes - before.heapBytes) / RUNS,
    redis,
    cpu: cpu / ((now() - start) / 1000),
  };
}

async function usedMemory({ redis }: Testbed): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1]);
}
