import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { drive, type Load, type Speed } from '../load';
import { generations, interleave, median, medianRatio } from '../measure';
import { SUBMISSION } from '../submission';
import { withTestbed, type Testbed } from '../testbed/testbed';
import { type Figure, round } from '../table';

const CHAT = { path: '/api/v1/chat', body: { message: 'Good morning!' } };
const CALLERS = 48;
const COUNT = { chat: 4_000, submit: 3_000 };
const WARM_UPS = 3;
const ROUNDS = 3;
/** Never reached, and counted all the same. */
const LIMITS = [
  'requests_per_minute',
  'body_bytes_per_minute',
  'research_per_minute',
  'unfinished_runs',
  'stored_bytes',
]
  .map((name) => `${name}:999999999999`)
  .join();
const METRICS_PORTS = '19464-19495';

/** What an API key with limits and a budget, prices and metrics cost, against none of them. */
export async function tenants(): Promise<Figure[]> {
  const speeds = await generations(() => withTestbed(measure));
  return [
    figure('chat', speeds['chat, on'], speeds['chat, off']),
    figure('submit', speeds['submit, on'], speeds['submit, off']),
  ];
}

async function measure(testbed: Testbed): Promise<Record<string, Speed[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-bench-prices-'));
  try {
    const upstream = await testbed.add('bench/testbed/fixed-upstream');
    const env = { LITELLM_BASE_URL: upstream.url };
    const off = await testbed.add('src/app/main', env);
    const prices = join(folder, 'prices.json');
    const models = { '*': { inputPerMillion: 1, outputPerMillion: 10 } };
    await writeFile(prices, JSON.stringify({ currency: 'USD', models }));
    const on = await testbed.add('src/app/main', {
      ...env,
      RELAY_REQUIRE_KEYS: 'true',
      RELAY_PRICES_CONFIG: prices,
      RELAY_METRICS_PORT: METRICS_PORTS,
    });
    const headers = { authorization: `Bearer ${await makeKey(testbed)}` };
    const chat = { ...CHAT, callers: CALLERS, count: COUNT.chat };
    const submit = { ...SUBMISSION, callers: CALLERS, count: COUNT.submit };
    // Every round starts without runs, so that none is slowed down by those before.
    const onFewRuns = async (
      child: Parameters<typeof drive>[0],
      load: Load,
    ): Promise<Speed> => {
      await removeRuns(testbed);
      return drive(child, load);
    };
    const variants = {
      'chat, off': () => drive(off, chat),
      'chat, on': () => drive(on, { ...chat, headers }),
      'submit, off': () => onFewRuns(off, submit),
      'submit, on': () => onFewRuns(on, { ...submit, headers }),
    };
    await interleave(WARM_UPS, variants);
    return await interleave(ROUNDS, variants);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A stored key, as `npm run keys` makes it. */
async function makeKey({ env }: Testbed): Promise<string> {
  const command = join(__dirname, '../../src/app/cli/keys.js');
  const settings = ['--scopes', 'chat,research,read', '--limits', LIMITS];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [command, 'create', 'bench', ...settings, '--budget', 'day_usd:1000000'],
    { env: { PATH: process.env.PATH, RELAY_ENV_FILE: 'none', ...env } },
  );
  return (JSON.parse(stdout) as { key: string }).key;
}

/** All but the keys. */
async function removeRuns({ redis }: Testbed): Promise<void> {
  const keys = await redis.dumpBuffer('sonde:keys');
  await redis.flushall();
  if (keys) await redis.restore('sonde:keys', 0, keys);
}

function figure(what: string, on: Speed[], off: Speed[]): Figure {
  const [a, b] = [on, off].map((speeds) =>
    speeds.map(({ perCpuSecond }) => perCpuSecond),
  );
  return {
    what: `${what} with a key, limits, a budget, prices and metrics, to none: per CPU-second`,
    sonde: round(median(a)),
    bare: round(median(b)),
    ratio: medianRatio(a, b).toFixed(2),
    aim: '≥ 0.9',
  };
}
