import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../testbed/child';
import { interleave, now, percentile } from '../measure';
import { withTestbed, type Testbed } from '../testbed/testbed';
import { submitOne } from '../submission';
import { type Figure, round } from '../table';

const SUBSCRIBERS = 1_000;
const WARM_UP = 20;
const SAMPLES = 150;
/** Between two events, until all sockets are idle. */
const PAUSE_MS = 40;

interface Arrival {
  first: number;
  last: number;
}

/** One event of a run to all its subscribers, against one process that writes the same frame to as many. */
export async function followers(): Promise<Figure[]> {
  const found = await withTestbed(measure);
  return [
    figure('the first received it', 50, found, ({ first }) => first),
    figure('all received it', 50, found, ({ last }) => last),
    figure('all received it', 99, found, ({ last }) => last),
  ];
}

async function measure(testbed: Testbed): Promise<Record<string, Arrival[]>> {
  const upstream = await testbed.add('bench/testbed/fixed-upstream', {
    HOLD: '1',
  });
  const env = { LITELLM_BASE_URL: upstream.url };
  const api = await testbed.add('src/app/main', env);
  await testbed.add('src/app/worker', env);
  const bare = await testbed.add('bench/testbed/bare-broadcast');
  const [ours, theirs] = [
    await testbed.add('bench/testbed/follower'),
    await testbed.add('bench/testbed/follower'),
  ];
  const created = upstream.next('create');
  const run = await submitOne(api.url);
  await created;
  await ours.request('subscribe', {
    url: api.url,
    path: `/api/v1/tool-invocations/${run.invocation_id}/events`,
    headers: { 'x-invocation-token': run.invocation_token },
    count: SUBSCRIBERS,
  });
  const bareStream = { path: '/', headers: {}, count: SUBSCRIBERS };
  await theirs.request('subscribe', { url: bare.url, ...bareStream });
  const variants = {
    bare: () => timed(bare, theirs),
    sonde: () => timed(upstream, ours),
  };
  await interleave(WARM_UP, variants);
  return interleave(SAMPLES, variants);
}

let sent = 0;

/** Milliseconds from the request to broadcast until the first and the last subscriber received the event. */
async function timed(broadcaster: Child, subscribers: Child): Promise<Arrival> {
  const word = `tick-${(sent += 1)}.`;
  await subscribers.request('expect', word);
  const arrival = subscribers.next<Arrival>('all');
  const start = now();
  await broadcaster.request('broadcast', word);
  const { first, last } = await arrival;
  await sleep(PAUSE_MS);
  return { first: first - start, last: last - start };
}

function figure(
  what: string,
  percent: number,
  { sonde, bare }: Record<string, Arrival[]>,
  of: (arrival: Arrival) => number,
): Figure {
  const a = percentile(sonde.map(of), percent);
  const b = percentile(bare.map(of), percent);
  return {
    what: `an event to 1,000 subscribers until ${what}: ms, p${percent}`,
    sonde: round(a),
    bare: round(b),
    ratio: (a / b).toFixed(2),
  };
}
