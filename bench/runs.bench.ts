import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Child } from './child';
import { repeat } from './load';
import { now } from './measure';
import { onStand, type Stand } from './stand';
import { submitOne } from './submission';
import { type Figure, round } from './table';

const RUNS = 10_000;
/** Longer than it takes to submit them all, so that at one time all go on. */
const RUN_MS = 150_000;
/** By then nobody attends to the last of them any more. */
const SETTLE_MS = 20_000;
const WATCH_MS = 30_000;

interface Stats {
  creates: number;
  creates_by_invocation: Record<string, number>;
  retrieves: number;
  in_flight: number;
}

interface Sample {
  workerCpu: number;
  redisCpu: number;
  commands: number;
  polls: number;
}

/** One worker with ten thousand runs that go on at the upstream, to the end of all: held, and let go of between looks. */
export async function runs(): Promise<Figure[]> {
  const held = await onStand((stand) => carry(stand, 'held', {}));
  const parked = await onStand((stand) =>
    carry(stand, 'put off', { RESEARCH_MEMORY_MB: '256' }),
  );
  return [...held, ...parked];
}

async function carry(
  stand: Stand,
  how: string,
  env: Record<string, string>,
): Promise<Figure[]> {
  const sandbox = await stand.add('sandbox/main', { SANDBOX_PORT: '0' });
  await control(sandbox, 'config', { research_ms: RUN_MS });
  const all = { LITELLM_BASE_URL: sandbox.url };
  const api = await stand.add('src/app/main', all);
  const worker = await stand.add('src/app/worker', { ...all, ...env });
  const idle = await worker.settledUsage();
  await repeat({ callers: 32, count: RUNS }, () => submitOne(api.url));
  while ((await stats(sandbox)).creates < RUNS) await sleep(1_000);
  await sleep(SETTLE_MS);
  const take = () => sample(stand, sandbox, worker);
  const [before, start] = [await take(), now()];
  const { in_flight } = await stats(sandbox);
  await sleep(WATCH_MS);
  const [after, seconds] = [await take(), (now() - start) / 1000];
  const rss = (await worker.usage()).rssBytes - idle.rssBytes;
  const heap = (await worker.settledUsage()).heapBytes;
  const completed = await completion(stand);
  const creates = Object.values(
    (await stats(sandbox)).creates_by_invocation,
  ).filter((count) => count === 1).length;
  const line = (what: string, value: number): Figure => ({
    what: `${RUNS.toLocaleString('en')} runs ${how}: ${what}`,
    sonde: round(value),
    bare: '',
    ratio: '',
  });
  const per = (of: (sample: Sample) => number): number =>
    (of(after) - of(before)) / seconds;
  return [
    line('going on at once', in_flight),
    line('completed', completed),
    line('bought exactly once', creates),
    line('worker RSS over idle, MB', rss / 1024 ** 2),
    line('worker RSS over idle, KB each', rss / 1024 / RUNS),
    line(
      'worker heap over idle, KB each',
      (heap - idle.heapBytes) / 1024 / RUNS,
    ),
    line('worker CPU, % of a core', per(({ workerCpu }) => workerCpu) * 100),
    line('Redis CPU, % of a core', per(({ redisCpu }) => redisCpu) * 100),
    line(
      'polls a second',
      per(({ polls }) => polls),
    ),
    line(
      'Redis commands a second and run',
      per(({ commands }) => commands) / RUNS,
    ),
  ];
}

async function sample(
  { redis }: Stand,
  sandbox: Child,
  worker: Child,
): Promise<Sample> {
  const info = (await redis.info('stats')) + (await redis.info('cpu'));
  const read = (name: string): number =>
    Number(new RegExp(`${name}:([\\d.]+)`).exec(info)![1]);
  return {
    workerCpu: (await worker.usage()).cpuSeconds,
    redisCpu: read('used_cpu_user') + read('used_cpu_sys'),
    commands: read('total_commands_processed'),
    polls: (await stats(sandbox)).retrieves,
  };
}

/** Waits for the end of all, and answers how many are completed. */
async function completion({ redis }: Stand): Promise<number> {
  while ((await redis.zcard('sonde:unfinished')) > 0) await sleep(1_000);
  const records = await redis.keys('sonde:{inv_*}:record');
  const found = redis.pipeline();
  for (const record of records) found.hget(record, 'status');
  const statuses = (await found.exec()) ?? [];
  return statuses.filter(([, status]) => status === 'completed').length;
}

async function stats(sandbox: Child): Promise<Stats> {
  const reply = await request(`${sandbox.url}/sandbox/stats`);
  return (await reply.body.json()) as Stats;
}

async function control(
  sandbox: Child,
  what: string,
  body: object,
): Promise<void> {
  const reply = await request(`${sandbox.url}/sandbox/${what}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  await reply.body.dump();
}
