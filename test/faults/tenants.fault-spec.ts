import type { Client, Reply } from '../support/client';
import { waitForEnd } from '../support/event-log';
import { priceFile } from '../support/price-table';
import { keysCommand } from '../support/processes/keys-command';
import { sameDay } from '../support/processes/preload';
import { Stand } from '../support/processes/stand';
import { until } from '../support/until';

const RUNS = '/api/v1/tool-invocations';
const PRICE = { inputPerMillion: 10, outputPerMillion: 100 };
const NANO = 1e9;
const NANO_PER_TOKEN = { input: 10_000, output: 100_000 };
const NOTHING = { input_tokens: 0, output_tokens: 0 };
const KEYS = 20;
const RUNS_PER_KEY = 50;
/** Of each key with a budget, in runs; how many of them may be under way at once. */
const BUDGET = 6.5;
const AT_ONCE = 2;

interface Invocation {
  invocation_id: string;
  error: { code: string };
}

interface Key {
  secret: string;
  /** In nano-dollars. */
  budget?: number;
  accepted: string[];
  /** Of the accepted: a worker died during the create, so it is unknown what was bought. */
  ambiguous: string[];
  refused: number;
}

describe('a thousand runs that twenty keys submit at once, while processes are killed', () => {
  const prices = priceFile({ '*': PRICE });
  const keys: Key[] = [];
  let stand: Stand;
  let bill: (id: string) => number;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      workers: 2,
      researchMs: 50,
      env: {
        ...sameDay(),
        RELAY_REQUIRE_KEYS: 'true',
        RELAY_PRICES_CONFIG: prices.path,
        RELAY_MAX_INVOCATIONS: '2000',
        RESEARCH_MODEL_LIMITS: '*:24',
      },
    });
    const { body: root } = await keysCommand(
      { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' },
      'create',
      'root',
      '--scopes',
      'admin',
    );
    const admin = stand.client().as(root.key);
    const make = async (name: string, settings: object = {}): Promise<Key> => {
      const scopes = ['research', 'read'];
      const key = { name, scopes, ...settings };
      const { status, body } = await admin.post('/admin/api/keys', key);
      expect(status).toBe(201);
      return { secret: body.key, accepted: [], ambiguous: [], refused: 0 };
    };
    const probe = await make('probe');
    const { cost } = await waitForEnd(
      await stand.client().as(probe.secret).submit(),
    );
    for (let n = 0; n < KEYS; n += 1) {
      const budget = n % 2 ? undefined : Math.round(BUDGET * cost.spent * NANO);
      const settings = budget && {
        budget: { day_usd: budget / NANO },
        limits: { concurrent_research: AT_ONCE },
      };
      keys.push({ ...(await make(`key-${n}`, settings || {})), budget });
    }
    // They know all keys from their start.
    await stand.replaceWorkers();
    await stand.addWorker();
    for (const process of [0, 1])
      for (const key of keys)
        await until('the key to be known', async (saw) => {
          const { status } = await clientOf(key, process).get('/api/v1/usage');
          return saw(status) === 200;
        });

    const submissions = Promise.all(keys.map((key, n) => submitAll(key, n)));
    for (let deaths = 0; deaths < 2; deaths += 1) {
      const { creates } = await stand.stats();
      const more = until(
        '50 more purchases',
        async (saw) => saw((await stand.stats()).creates) > creates + 50,
        300_000,
      );
      await Promise.race([more, submissions.then(() => more)]);
      await stand.apis.shift()!.stop('SIGKILL');
      await stand.killWorkers();
      await Promise.all([stand.addApi(), stand.addWorker(), stand.addWorker()]);
    }
    await submissions;
    for (const key of keys)
      await until('the key to be settled', () => isSettled(key), 300_000);
    for (const key of keys)
      for (const { invocation_id: id, error } of await listOf(key, 'failed')) {
        expect(error.code).toBe('ambiguous_submit');
        key.ambiguous.push(id);
      }
    const { billed_by_invocation: bills } = await stand.stats();
    bill = (id) => {
      const { input_tokens, output_tokens } = bills[id] ?? NOTHING;
      return (
        input_tokens * NANO_PER_TOKEN.input +
        output_tokens * NANO_PER_TOKEN.output
      );
    };
  }, 900_000);

  afterAll(async () => {
    await stand.stop();
    prices.remove();
  });

  const clientOf = ({ secret }: Key, process = 0): Client =>
    stand.client(process).as(secret);

  /** As a client does that repeats what has no reply. */
  const submitAll = (key: Key, n: number): Promise<void[]> => {
    const submit = async (run: number): Promise<void> => {
      const headers = { 'idempotency-key': `${n}-${run}` };
      const reply = await until<Reply>(
        'the submission to be answered',
        async (saw) => {
          const one = await clientOf(key, run % stand.apis.length)
            .research({ background: true }, headers)
            .catch(() => undefined);
          return one && saw(one).status < 500 ? one : undefined;
        },
      );
      if (reply.status === 202) key.accepted.push(reply.body.invocation_id);
      else if (reply.body.code === 'budget_exceeded') key.refused += 1;
      else throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    };
    return Promise.all(
      Array.from({ length: RUNS_PER_KEY }, (_, i) => submit(i)),
    );
  };

  const spentBy = async (key: Key): Promise<number> => {
    const { body } = await clientOf(key).get('/api/v1/usage');
    return Math.round(body.cost_usd * NANO);
  };
  const knownOf = ({ accepted, ambiguous }: Key): string[] =>
    accepted.filter((id) => !ambiguous.includes(id));
  const listOf = async (key: Key, status: string): Promise<Invocation[]> => {
    const path = `${RUNS}?status=${status}&limit=100`;
    return (await clientOf(key).get(path)).body.data;
  };
  /** All of its runs have ended, but for those that wait for a spent budget. */
  const isSettled = async (key: Key): Promise<boolean> => {
    const count = async (status: string): Promise<number> =>
      (await listOf(key, status)).length;
    // In the order of a run's states backwards, so that none is counted twice.
    const ended = (await count('completed')) + (await count('failed'));
    const queued = await count('queued');
    if (ended + queued < key.accepted.length) return false;
    return (
      queued === 0 ||
      (key.budget !== undefined && (await spentBy(key)) >= key.budget)
    );
  };

  it('accepts each run once, or refuses it because the budget is spent', () => {
    for (const { accepted, refused, budget } of keys) {
      expect(new Set(accepted).size).toBe(accepted.length);
      expect(accepted.length + refused).toBe(RUNS_PER_KEY);
      if (budget === undefined) expect(refused).toBe(0);
    }
  });

  it('buys no run twice', async () => {
    const { creates_by_invocation: creates } = await stand.stats();
    const all = keys.flatMap(({ accepted }) => accepted);
    expect(all.filter((id) => (creates[id] ?? 0) > 1)).toEqual([]);
    for (const key of keys)
      if (key.budget === undefined)
        expect(knownOf(key).filter((id) => !creates[id])).toEqual([]);
  });

  it('has accounts that equal the bill of the endpoint', async () => {
    for (const key of keys) {
      const billed = knownOf(key).reduce((sum, id) => sum + bill(id), 0);
      expect(await spentBy(key)).toBe(billed);
    }
  });

  it('passes no budget by more than the runs that were under way', async () => {
    for (const key of keys) {
      if (key.budget === undefined) continue;
      const most = Math.max(...key.accepted.map(bill));
      const spent = await spentBy(key);
      expect(spent).toBeGreaterThanOrEqual(key.budget);
      expect(spent).toBeLessThan(key.budget + AT_ONCE * most);
    }
  });
});
