import type { Child } from '../testbed/child';
import { drive, type Speed } from '../load';
import { generations, interleave, median, medianRatio } from '../measure';
import { withTestbed, type Testbed } from '../testbed/testbed';
import { SUBMISSION } from '../submission';
import { type Figure, round } from '../table';

const MANY = 64;
/** Adding alone is so much faster that rounds of the same length need more of it. */
const COUNT = { bare: 20_000, alone: 4_000, http: 10_000, sonde: 4_000 };
const WARM_UPS = 2;
const ROUNDS = 3;

/** Submitting research, against adding the same job to a queue. No worker runs. */
export async function submit(): Promise<Figure[]> {
  const { bare, http, sonde, alone } = await generations(() =>
    withTestbed(measure),
  );
  const perSecond = ({ perSecond: value }: Speed): number => value;
  const perCpu = ({ perCpuSecond: value }: Speed): number => value;
  const many = `${MANY} at a time`;
  return [
    {
      ...figure(
        `per second, ${many}, to adds one by one`,
        sonde,
        alone,
        perSecond,
      ),
      aim: '≥ 0.5',
    },
    {
      ...figure(`per second, ${many}, to adds ${many}`, sonde, bare, perSecond),
      aim: '≥ 0.5',
    },
    figure(`per CPU-second, ${many}, to adds ${many}`, sonde, bare, perCpu),
    figure(`per CPU-second, ${many}, to node:http + add`, sonde, http, perCpu),
  ];
}

async function measure(testbed: Testbed): Promise<Record<string, Speed[]>> {
  const adder = await testbed.add('bench/testbed/bare-adder');
  // The upstream is never called here.
  const env = { LITELLM_BASE_URL: 'http://127.0.0.1:9' };
  const api = await testbed.add('src/app/main', env);
  // Every round starts with an empty Redis, so that none is slowed down by those before.
  const onEmptyRedis = async (
    measured: () => Promise<Speed>,
  ): Promise<Speed> => {
    await testbed.redis.flushall();
    return measured();
  };
  const post =
    (child: Child, count: number, callers = MANY) =>
    () =>
      drive(child, { ...SUBMISSION, callers, count });
  const variants = {
    bare: () => onEmptyRedis(() => addBare(adder, COUNT.bare, MANY)),
    http: () => onEmptyRedis(post(adder, COUNT.http)),
    sonde: () => onEmptyRedis(post(api, COUNT.sonde)),
    alone: () => onEmptyRedis(() => addBare(adder, COUNT.alone, 1)),
  };
  await interleave(WARM_UPS, variants);
  return interleave(ROUNDS, variants);
}

async function addBare(
  adder: Child,
  count: number,
  callers: number,
): Promise<Speed> {
  const before = await adder.usage();
  const load = { callers, count };
  const seconds = await adder.request<number>('add', load);
  const after = await adder.usage();
  return {
    perSecond: load.count / seconds,
    perCpuSecond: load.count / (after.cpuSeconds - before.cpuSeconds),
  };
}

function figure(
  unit: string,
  ours: Speed[],
  bare: Speed[],
  of: (speed: Speed) => number,
): Figure {
  const [a, b] = [ours.map(of), bare.map(of)];
  return {
    what: `submit: accepted ${unit}`,
    sonde: round(median(a)),
    bare: round(median(b)),
    ratio: medianRatio(a, b).toFixed(2),
  };
}
