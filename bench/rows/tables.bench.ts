import { setTimeout as sleep } from 'node:timers/promises';
import { repeat } from '../load';
import { submitOne, SUBMISSION } from '../submission';
import { type Figure, round } from '../table';
import type { LoopDelay } from '../testbed/probe';
import { withTestbed, type Testbed } from '../testbed/testbed';

const RUNS = 200;
const LINES = 12;

/** Agent runs that read tables of numbers, and of which each sentence names the notes of another: for the worker's event loop. */
export async function tables(): Promise<Figure[]> {
  return withTestbed(async (testbed) => {
    const sandbox = await testbed.add('sandbox/main', { SANDBOX_PORT: '0' });
    const env = {
      LITELLM_BASE_URL: sandbox.url,
      RELAY_RESEARCH_ENGINE: 'agent',
      RELAY_AGENT_MODELS: 'writer:sandbox-plain-swaps-sources',
      RELAY_SEARCH: `searxng:${sandbox.url}`,
      RELAY_PAGES_ALLOWED_ORIGINS: sandbox.url,
    };
    const api = await testbed.add('src/app/main', env);
    const worker = await testbed.add('src/app/worker', env);
    await carryOut(testbed, api.url, 4);
    await worker.request('watch loop');
    const ends = await carryOut(testbed, api.url, RUNS);
    const loop = await worker.request<LoopDelay>('loop delay');
    const row = (what: string, value: number, aim: string): Figure => ({
      what: `${RUNS} agent runs on tables of numbers: ${what}`,
      sonde: round(value),
      bare: '',
      ratio: '',
      aim,
    });
    return [
      row('ended', ends.length, String(RUNS)),
      row('leases lost', sumOf(ends) - RUNS, '0'),
      row('worker event-loop delay, ms, p99', loop.p99, '< 50'),
      row('worker event-loop delay, ms, longest', loop.max, '< 50'),
    ];
  });
}

const QUESTION = {
  ...SUBMISSION.body,
  arguments: {
    research_question: 'How did the sales of jajangmyeon develop?',
    background: true,
    documents: [{ title: 'Sales', text: table() }],
  },
};

/** Lines of about 400 characters, as a reader notes them. */
function table(): string {
  const lines = Array.from({ length: LINES }, (_, line) => {
    const cells = Array.from(
      { length: 42 },
      (_, at) => `sales ${((at * 7 + line) % 10) + 1}`,
    );
    return `The sales of jajangmyeon: ${cells.join(' ').slice(0, 370)}.`;
  });
  return lines.join('\n\n');
}

/** How often each run was claimed. */
async function carryOut(
  testbed: Testbed,
  url: string,
  count: number,
): Promise<number[]> {
  const ids: string[] = [];
  await repeat({ callers: 8, count }, async () => {
    const { invocation_id } = await submitOne(url, {}, QUESTION);
    ids.push(invocation_id);
  });
  return endsOf(testbed, ids);
}

/** How often each run was claimed, once all have ended: one whose lease is lost is claimed once more. */
async function endsOf(
  { redis }: Testbed,
  ids: readonly string[],
): Promise<number[]> {
  for (;;) {
    const claims: number[] = [];
    for (const id of ids) {
      const key = `sonde:{${id}}:record`;
      const [done, fence] = await redis.hmget(key, 'completed_ms', 'fence');
      if (done) claims.push(Number(fence));
    }
    if (claims.length === ids.length) return claims;
    await sleep(500);
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
