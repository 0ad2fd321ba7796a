import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child';
import { repeat } from './load';
import { now } from './measure';
import { onStand, type Stand } from './stand';
import { submitOne } from './submission';
import { type Figure, round } from './table';

const WARM_UP = 100;
const RUNS = 2_000;
/** By then nobody attends to the last of them any more. */
const SETTLE_MS = 12_000;
/** Two renewals of every lock and three heartbeats of every lease. */
const WATCH_MS = 30_000;

interface Cost {
  /** Of the worker, bytes a run. */
  rss: number;
  heap: number;
  /** Of Redis, bytes a run. */
  redis: number;
  /** Of one core, for all runs together. */
  cpu: number;
}

interface Holder {
  worker: Child;
  add: (count: number) => Promise<unknown>;
  /** How many runs are held by now. */
  held: () => Promise<number>;
}

/** What a run costs that is only waiting, against a job whose processor awaits a promise. */
export async function memory(): Promise<Figure[]> {
  const bare = await onStand((stand) => measure(stand, bareHolder));
  const sonde = await onStand((stand) => measure(stand, ourHolder));
  const line = (
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
    line(`${runs}: worker RSS, KB each`, 1024, ({ rss }) => rss),
    line(`${runs}: worker heap, KB each`, 1024, ({ heap }) => heap),
    line(`${runs}: Redis memory, KB each`, 1024, ({ redis }) => redis),
    line(`${runs}: worker CPU, % of a core`, 0.01, ({ cpu }) => cpu),
  ];
}

async function bareHolder(stand: Stand): Promise<Holder> {
  const adder = await stand.add('bench/bare-adder');
  const worker = await stand.add('bench/bare-worker', { HOLD: '1' });
  return {
    worker,
    add: (count) => adder.ask('add', { callers: 16, count }),
    held: () => worker.ask('held'),
  };
}

async function ourHolder(stand: Stand): Promise<Holder> {
  const upstream = await stand.add('bench/fixed-upstream', { HOLD: '1' });
  const env = { LITELLM_BASE_URL: upstream.url };
  const api = await stand.add('src/app/main', env);
  const worker = await stand.add('src/app/worker', env);
  return {
    worker,
    add: (count) => repeat({ callers: 16, count }, () => submitOne(api.url)),
    held: () => upstream.ask('begun'),
  };
}

async function measure(
  stand: Stand,
  holderOn: (stand: Stand) => Promise<Holder>,
): Promise<Cost> {
  const { worker, add, held } = await holderOn(stand);
  const reach = async (count: number): Promise<void> => {
    while ((await held()) < count) await sleep(50);
    await sleep(SETTLE_MS);
  };
  await add(WARM_UP);
  await reach(WARM_UP);
  const before = await worker.settledUsage();
  const redisBefore = await usedMemory(stand);
  await add(RUNS);
  await reach(WARM_UP + RUNS);
  const after = await worker.settledUsage();
  const redis = ((await usedMemory(stand)) - redisBefore) / RUNS;
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

async function usedMemory({ redis }: Stand): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1]);
}
