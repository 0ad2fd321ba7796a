import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { interleave, now, percentile } from '../measure';
import { withTestbed, type Testbed } from '../testbed/testbed';
import { SUBMISSION } from '../submission';
import { type Figure, round } from '../table';

const WARM_UP = 50;
const SAMPLES = 500;
/** So that the next sample starts on an idle system. */
const PAUSE_MS = 12;

/** From a submission to its create at the upstream, against from adding a job to its start. */
export async function latency(): Promise<Figure[]> {
  const { bare, sonde } = await withTestbed(measure);
  return [50, 99].map((percent) => {
    const [a, b] = [percentile(sonde, percent), percentile(bare, percent)];
    return {
      what: `submit to create at the upstream, idle: ms, p${percent}`,
      sonde: round(a),
      bare: round(b),
      ratio: (a / b).toFixed(2),
    };
  });
}

async function measure(testbed: Testbed): Promise<Record<string, number[]>> {
  const upstream = await testbed.add('bench/testbed/fixed-upstream');
  const env = { LITELLM_BASE_URL: upstream.url };
  const api = await testbed.add('src/app/main', env);
  await testbed.add('src/app/worker', env);
  const adder = await testbed.add('bench/testbed/bare-adder');
  const bareWorker = await testbed.add('bench/testbed/bare-worker');
  const pool = new Pool(api.url, { connections: 1 });
  const variants = {
    bare: () =>
      timed(bareWorker.next('started'), () =>
        adder.request('add', { callers: 1, count: 1 }),
      ),
    sonde: () => timed(upstream.next('create'), () => post(pool)),
  };
  await interleave(WARM_UP, variants);
  const found = await interleave(SAMPLES, variants);
  await pool.close();
  return found;
}

async function timed(
  arrival: Promise<number>,
  start: () => Promise<unknown>,
): Promise<number> {
  const startMs = now();
  await start();
  const ms = (await arrival) - startMs;
  await sleep(PAUSE_MS);
  return ms;
}

async function post(pool: Pool): Promise<void> {
  const { body } = await pool.request({
    path: SUBMISSION.path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(SUBMISSION.body),
  });
  await body.dump();
}
