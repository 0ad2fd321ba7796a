import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { repeat } from '../load';
import { now } from '../measure';
import { submitOne } from '../submission';
import { type Figure, round } from '../table';
import type { Child } from '../testbed/child';
import type { LoopDelay } from '../testbed/probe';
import { withTestbed, type Testbed } from '../testbed/testbed';

const RUNS = 200;
/** Of the calls of a run, each waits so long: as a local model that is busy. */
const TURN_MS = 5_000;
const HEAP_EVERY_MS = 4_000;
const ENDED = /^(?:completed|incomplete|failed|cancelled)$/;

interface Round {
  ids: string[];
  /** In progress at one time. */
  most: number;
  seconds: number;
}

type Fields = readonly (string | null)[];

interface Steps {
  repeated: number;
  skipped: number;
}

/**
 * One worker with two hundred runs of the research agent at once, whose model takes five seconds per call: first for its
 * heap, which is collected again and again, then undisturbed for its event loop.
 */
export async function agent(): Promise<Figure[]> {
  return withTestbed(async (testbed) => {
    const sandbox = await testbed.add('sandbox/main', { SANDBOX_PORT: '0' });
    const env = {
      LITELLM_BASE_URL: sandbox.url,
      RELAY_RESEARCH_ENGINE: 'agent',
      RELAY_AGENT_MODELS: 'writer:sandbox-plain',
      RELAY_SEARCH: `searxng:${sandbox.url}`,
      RELAY_PAGES_ALLOWED_ORIGINS: sandbox.url,
    };
    const api = await testbed.add('src/app/main', env);
    const worker = await testbed.add('src/app/worker', env);
    await carryOut(testbed, api, 10);
    await control(sandbox, { turn_ms: TURN_MS });
    const idle = (await worker.settledUsage()).heapBytes;
    let heap = 0;
    const first = await carryOut(testbed, api, RUNS, async () => {
      heap = Math.max(heap, (await worker.settledUsage()).heapBytes);
    });
    const cpuBefore = (await worker.usage()).cpuSeconds;
    await worker.request('watch loop');
    const second = await carryOut(testbed, api, RUNS);
    const loop = await worker.request<LoopDelay>('loop delay');
    const cpu = (await worker.usage()).cpuSeconds - cpuBefore;
    const ends = await endsOf(testbed, [...first.ids, ...second.ids]);
    const row = (what: string, value: number, aim = ''): Figure => ({
      what: `${RUNS} agent runs at once: ${what}`,
      sonde: round(value),
      bare: '',
      ratio: '',
      aim,
    });
    return [
      row('completed, of 400 in two rounds', ends.completed, '400'),
      row('leases lost', ends.claims - 2 * RUNS, '0'),
      row('steps repeated or skipped', ends.disturbed, '0'),
      row('most in progress at a time', second.most, '200'),
      row('seconds from first to last', second.seconds),
      row('worker event-loop delay, ms, p50', loop.p50),
      row('worker event-loop delay, ms, p99', loop.p99, '< 50'),
      row('worker event-loop delay, ms, longest', loop.max),
      row(
        'worker heap over idle, KB each',
        (heap - idle) / 1024 / RUNS,
        '< 100',
      ),
      row('worker CPU, ms each', (cpu * 1000) / RUNS),
    ];
  });
}

/** Submits runs all at once, and waits until they have ended. */
async function carryOut(
  testbed: Testbed,
  api: Child,
  count: number,
  meanwhile?: () => Promise<void>,
): Promise<Round> {
  const ids: string[] = [];
  const start = now();
  await repeat({ callers: 32, count }, async () => {
    ids.push((await submitOne(api.url)).invocation_id);
  });
  let most = 0;
  for (;;) {
    const found = await fieldsOf(testbed, ids, 'status');
    const active = found.filter(([status]) => status === 'running').length;
    const ended = found.filter(([status]) => ENDED.test(status ?? '')).length;
    most = Math.max(most, active);
    if (ended === count) break;
    await sleep(meanwhile ? HEAP_EVERY_MS : 1_000);
    await meanwhile?.();
  }
  return { ids, most, seconds: (now() - start) / 1000 };
}

async function endsOf(testbed: Testbed, ids: readonly string[]) {
  const found = await fieldsOf(testbed, ids, 'status', 'fence', 'steps');
  const sum = (of: (fields: Fields) => number): number =>
    found.reduce((total, fields) => total + of(fields), 0);
  return {
    completed: sum(([status]) => Number(status === 'completed')),
    /** A run whose lease is lost is claimed once more. */
    claims: sum(([, fence]) => Number(fence)),
    disturbed: sum(([, , steps]) => {
      const { repeated, skipped } = JSON.parse(steps!) as Steps;
      return repeated + skipped;
    }),
  };
}

async function fieldsOf(
  { redis }: Testbed,
  ids: readonly string[],
  ...fields: string[]
): Promise<Fields[]> {
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.hmget(`sonde:{${id}}:record`, ...fields);
  const found = (await pipeline.exec()) ?? [];
  return found.map(([, values]) => values as Fields);
}

async function control(sandbox: Child, settings: object): Promise<void> {
  const reply = await request(`${sandbox.url}/sandbox/config`, {
    method: 'POST',
    body: JSON.stringify(settings),
  });
  await reply.body.dump();
}
