import { drive, type Load, type Speed } from './load';
import { generations, interleave, median, medianRatio } from './measure';
import { onStand, type Stand } from './stand';
import { type Figure, round } from './table';

const LOAD = { path: '/api/v1/chat', callers: 48 };
/** The relay is so much faster that it needs more of them for as long a round. */
const COUNT = { bare: 12_000, sonde: 5_000 };
const WARM_UPS = 2;
const ROUNDS = 3;

/** Chat without a call of a tool, against a relay that passes the bytes on. */
export async function chat(): Promise<Figure[]> {
  const { bare, plain, offered } = await generations(() => onStand(measure));
  return [
    figure('chat, no tools offered', plain, bare),
    figure('chat, deep_research offered', offered, bare),
  ];
}

async function measure(stand: Stand): Promise<Record<string, Speed[]>> {
  const upstream = await stand.add('bench/fixed-upstream');
  const env = { LITELLM_BASE_URL: upstream.url };
  const relay = await stand.add('bench/bare-relay', env);
  const api = await stand.add('src/main', env);
  const message = 'Good morning!';
  const asking = (body: object, count: number): Load => ({
    ...LOAD,
    body,
    count,
  });
  const variants = {
    bare: () => drive(relay, asking({ message }, COUNT.bare)),
    plain: () =>
      drive(api, asking({ message, auto_tool_call: false }, COUNT.sonde)),
    offered: () => drive(api, asking({ message }, COUNT.sonde)),
  };
  await interleave(WARM_UPS, variants);
  return interleave(ROUNDS, variants);
}

function figure(what: string, ours: Speed[], bare: Speed[]): Figure {
  const [a, b] = [ours, bare].map((speeds) =>
    speeds.map(({ perCpuSecond }) => perCpuSecond),
  );
  return {
    what: `${what}: replies per CPU-second`,
    sonde: round(median(a)),
    bare: round(median(b)),
    ratio: medianRatio(a, b).toFixed(2),
    aim: '≥ 0.35',
  };
}
