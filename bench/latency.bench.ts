import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { interleave, now, percentile } from './measure';
import { onStand, type Stand } from './stand';
import { SUBMISSION } from './submission';
import { type Figure, round } from './table';

const WARM_UP = 50;
const SAMPLES = 500;
/** For what follows the moment that is measured, so that the next one meets an idle system. */
const PAUSE_MS = 12;

/** From the submission to its arrival at the upstream, against from the adding of a job to its start. */
export async function latency(): Promise<Figure[]> {
  const { bare, sonde } = await onStand(measure);
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

async function measure(stand: Stand): Promise<Record<string, number[]>> {
  const upstream = await stand.add('bench/fixed-upstream');
  const env = { LITELLM_BASE_URL: upstream.url };
  const api = await stand.add('src/app/main', env);
  await stand.add('src/app/worker', env);
  const adder = await stand.add('bench/bare-adder');
  const bareWorker = await stand.add('bench/bare-worker');
  const pool = new Pool(api.url, { connections: 1 });
  const variants = {
    bare: () =>
      timed(bareWorker.hears('started'), () =>
        adder.ask('add', { callers: 1, count: 1 }),
      ),
    sonde: () => timed(upstream.hears('create'), () => post(pool)),
  };
  await interleave(WARM_UP, variants);
  const found = await interleave(SAMPLES, variants);
  await pool.close();
  return found;
}

async function timed(
  arrival: Promise<number>,
  begin: () => Promise<unknown>,
): Promise<number> {
  const start = now();
  await begin();
  const ms = (await arrival) - start;
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
