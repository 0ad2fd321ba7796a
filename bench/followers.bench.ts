import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child';
import { interleave, now, percentile } from './measure';
import { onStand, type Stand } from './stand';
import { submitOne } from './submission';
import { type Figure, round } from './table';

const FOLLOWERS = 1_000;
const WARM_UP = 20;
const SAMPLES = 150;
/** Between two events, for the sockets to come to rest. */
const PAUSE_MS = 40;

interface Arrival {
  first: number;
  last: number;
}

/** One event of a run to all its followers, against one process that writes the same frame to as many. */
export async function followers(): Promise<Figure[]> {
  const found = await onStand(measure);
  return [
    figure('the first has it', 50, found, ({ first }) => first),
    figure('all have it', 50, found, ({ last }) => last),
    figure('all have it', 99, found, ({ last }) => last),
  ];
}

async function measure(stand: Stand): Promise<Record<string, Arrival[]>> {
  const upstream = await stand.add('bench/fixed-upstream', { HOLD: '1' });
  const env = { LITELLM_BASE_URL: upstream.url };
  const api = await stand.add('src/app/main', env);
  await stand.add('src/app/worker', env);
  const bare = await stand.add('bench/bare-broadcast');
  const [ours, theirs] = [
    await stand.add('bench/follower'),
    await stand.add('bench/follower'),
  ];
  const created = upstream.hears('create');
  const run = await submitOne(api.url);
  await created;
  await ours.ask('follow', {
    url: api.url,
    path: `/api/v1/tool-invocations/${run.invocation_id}/events`,
    headers: { 'x-invocation-token': run.invocation_token },
    count: FOLLOWERS,
  });
  const everywhere = { path: '/', headers: {}, count: FOLLOWERS };
  await theirs.ask('follow', { url: bare.url, ...everywhere });
  const variants = {
    bare: () => timed(bare, theirs),
    sonde: () => timed(upstream, ours),
  };
  await interleave(WARM_UP, variants);
  return interleave(SAMPLES, variants);
}

let said = 0;

/** How long after it is asked to say something the first and the last follower have heard it. */
async function timed(speaker: Child, listeners: Child): Promise<Arrival> {
  const word = `tick-${(said += 1)}.`;
  await listeners.ask('expect', word);
  const heard = listeners.hears<Arrival>('all');
  const start = now();
  await speaker.ask('say', word);
  const { first, last } = await heard;
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
    what: `an event to 1,000 followers until ${what}: ms, p${percent}`,
    sonde: round(a),
    bare: round(b),
    ratio: (a / b).toFixed(2),
  };
}
