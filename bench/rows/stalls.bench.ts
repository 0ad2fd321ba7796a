import { createHash } from 'node:crypto';
import { request } from 'undici';
import { WORST_BODIES, type WorstBody } from '../worst-bodies';
import { median, now } from '../measure';
import { withTestbed, type Testbed } from '../testbed/testbed';
import { submitOne } from '../submission';
import { type Figure, round } from '../table';

const KEY = 'key-of-the-bench';
const ROUNDS = 5;
const WITH_KEY = { authorization: `Bearer ${KEY}` };

/** How long `/health/live` waits while the worst bodies that each route allows are posted to it. */
export async function stalls(): Promise<Figure[]> {
  return withTestbed(measure);
}

async function measure(testbed: Testbed): Promise<Figure[]> {
  const upstream = await testbed.add('bench/testbed/fixed-upstream');
  const hash = createHash('sha256').update(KEY).digest('hex');
  const { url } = await testbed.add('src/app/main', {
    LITELLM_BASE_URL: upstream.url,
    RELAY_API_KEYS: `bench:${hash}`,
  });
  const { invocation_id: id } = await submitOne(url, WITH_KEY);
  const figures: Figure[] = [];
  for (const body of WORST_BODIES) {
    const target = url + body.path.replace(':id', id);
    const found: number[] = [];
    const calm: number[] = [];
    for (let left = ROUNDS; left > 0; left -= 1) {
      calm.push(await worstWait(url, () => post(target, body, '{}')));
      found.push(await worstWait(url, () => post(target, body, body.text)));
    }
    figures.push(figureOf(body, median(found), median(calm)));
  }
  return figures;
}

function figureOf(body: WorstBody, ms: number, bareMs: number): Figure {
  return {
    what: `worst wait of /health/live while ${body.what} is posted to ${body.path}: ms`,
    sonde: round(ms),
    bare: round(bareMs),
    ratio: '',
    aim: '≤ 50',
  };
}

/** Repeats one request at a time until `work` is done. */
async function worstWait(
  url: string,
  work: () => Promise<unknown>,
): Promise<number> {
  let done = false;
  const end = work().finally(() => (done = true));
  let worst = 0;
  while (!done) {
    const start = now();
    const { body } = await request(`${url}/health/live`);
    await body.dump();
    worst = Math.max(worst, now() - start);
  }
  await end;
  return worst;
}

async function post(
  url: string,
  { withKey = true }: WorstBody,
  body: string | Buffer,
): Promise<void> {
  const reply = await request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(withKey && WITH_KEY),
    },
    body,
  });
  await reply.body.dump();
}
