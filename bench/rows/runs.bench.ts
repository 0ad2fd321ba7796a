import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Child } from '../testbed/child';
import { repeat } from '../load';
import { now } from '../measure';
import { withTestbed, type Testbed } from '../testbed/testbed';
import { submitOne } from '../submission';
import { type Figure, round } from '../table';

const RUNS = 10_000;
/** Longer than all submissions take, so that at one time all runs are in progress. */
const RUN_MS = 150_000;
/** By then the last runs have no subscriber left. */
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

/**
 * One worker with ten thousand runs in progress at the upstream, until all end: once active in the worker, once
 * suspended between polls.
 */
export async function runs(): Promise<Figure[]> {
  const active = await withTestbed((testbed) => measure(testbed, 'active', {}));
  const suspended = await withTestbed((testbed) =>
    measure(testbed, 'suspended', { RESEARCH_MEMORY_MB: '256' }),
  );
  return [...active, ...suspended];
}

async function measure(
  testbed: Testbed,
  how: string,
  env: Record<string, string>,
): Promise<Figure[]> {
  const sandbox = await testbed.add('sandbox/main', { SANDBOX_PORT: '0' });
  await control(sandbox, 'config', { research_ms: RUN_MS });
  const all = { LITELLM_BASE_URL: sandbox.url };
  const api = await testbed.add('src/app/main', all);
  const worker = await testbed.add('src/app/worker', { ...all, ...env });
  const idle = await worker.settledUsage();
  await repeat({ callers: 32, count: RUNS }, () => submitOne(api.url));
  while ((await stats(sandbox)).creates < RUNS) await sleep(1_000);
  await sleep(SETTLE_MS);
  const take = () => sample(testbed, sandbox, worker);
  const [before, start] = [await take(), now()];
  const { in_flight } = await stats(sandbox);
  await sleep(WATCH_MS);
  const [after, seconds] = [await take(), (now() - start) / 1000];
  const rss = (await worker.usage()).rssBytes - idle.rssBytes;
  const heap = (await worker.settledUsage()).heapBytes;
  const completed = await completion(testbed);
  const creates = Object.values(
    (await stats(sandbox)).creates_by_invocation,
  ).filter((count) => count === 1).length;
  const row = (what: string, value: number): Figure => ({
    what: `${RUNS.toLocaleString('en')} runs ${how}: ${what}`,
    sonde: round(value),
    bare: '',
    ratio: '',
  });
  const per = (of: (sample: Sample) => number): number =>
    (of(after) - of(before)) / seconds;
  return [
    row('in progress at once', in_flight),
    row('completed', completed),
    row('created exactly once', creates),
    row('worker RSS over idle, MB', rss / 1024 ** 2),
    row('worker RSS over idle, KB each', rss / 1024 / RUNS),
    row(
      'worker heap over idle, KB each',
      (heap - idle.heapBytes) / 1024 / RUNS,
    ),
    row('worker CPU, % of a core', per(({ workerCpu }) => workerCpu) * 100),
    row('Redis CPU, % of a core', per(({ redisCpu }) => redisCpu) * 100),
    row(
      'polls per second',
      per(({ polls }) => polls),
    ),
    row(
      'Redis commands per second and run',
      per(({ commands }) => commands) / RUNS,
    ),
  ];
}

async function sample(
  { redis }: Testbed,
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

/** Waits until all have ended, and returns how many are completed. */
async function completion({ redis }: Testbed): Promise<number> {
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
