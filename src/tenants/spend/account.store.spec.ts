import fc from 'fast-check';
import { TestRedis } from '../../../test/support/redis/redis';
import type { KeySettings, StoredKeys } from '../../platform/auth/stored-keys';
import { loadConfig } from '../../config/load-config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { dayOf, endsOf, monthOf } from './spend-keys';
import { MAX_LINES } from './account.script';
import { AccountStore, type Booking, type Line } from './account.store';
import { Budgets, VIEW_MS } from './budgets';
import { CallMeter } from './call-meter';
import { listen } from '../../platform/metrics/facts';

const CALL: Line = {
  kind: 'chat',
  model: 'm',
  runs: 1,
  input: 10,
  output: 5,
  nano: 7,
  unknown: 0,
};

describe('accounts of money', () => {
  let redis: TestRedis;
  let connections: RedisConnections;
  let store: AccountStore;
  let budgets: Budgets;
  let budget: KeySettings['budget'];
  let account: string;
  let made = 0;

  beforeAll(async () => {
    redis = await TestRedis.start();
    const config = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(config.redis!, 'fail-fast');
    await connections.onModuleInit();
    store = new AccountStore(connections, config);
    // Midnight ends no sum of a test.
    const now = store.now();
    store.now = () => now;
    const keys = { settingsOf: () => ({ budget }) } as unknown as StoredKeys;
    budgets = new Budgets(store, keys);
  });
  beforeEach(() => {
    made += 1;
    account = `@a}b:${made}`;
    budget = undefined;
  });
  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  const used = (nano: number, more: Partial<Booking> = {}): Booking => ({
    account,
    id: 'inv_1',
    kind: 'research',
    model: 'm',
    input: nano * 2,
    output: nano,
    nano,
    unknown: 0,
    ...more,
  });
  const reserve = (nano: number, limits = {}, free = 0) => ({
    nano,
    free,
    limits,
  });
  const standing = () => store.standing(account);
  const today = async () =>
    (await store.days(account, [dayOf(store.now())])).flat();

  it('counts a booking whole, whatever an earlier version has stored of it', async () => {
    const absurd = { input: 1e308, output: NaN, nano: -1 };
    await store.book(used(0, { ...absurd, isFinal: true }));
    const [[line]] = await store.days(account, [dayOf(store.now())]);
    expect(line).toMatchObject({
      runs: 1,
      input: Number.MAX_SAFE_INTEGER,
      output: 0,
      nano: 0,
    });
  });

  it('counts what a run has used once, whoever books it, in whatever order', async () => {
    for (const nano of [5, 5, 12, 7, 12]) await store.book(used(nano));
    await store.book(used(12, { isFinal: true }));
    await store.book(used(12, { isFinal: true }));
    expect(await standing()).toEqual({ day: 12, month: 12, reserved: 0 });
    expect(await today()).toEqual([
      {
        kind: 'research',
        model: 'm',
        runs: 1,
        input: 24,
        output: 12,
        nano: 12,
        unknown: 0,
      },
    ]);
  });

  it('has sums beyond 2^32 and 1e14 to the last unit', async () => {
    const large = 4_503_599_627_370_497;
    await store.book(used(large));
    await store.book(used(3, { id: 'inv_2' }));
    expect((await standing()).day).toBe(large + 3);
  });

  it('never lets reservations pass a limit, however many ask at once', async () => {
    const limits = { day: 1_000 };
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const booking = used(0, { id: `inv_${at}`, fence: '1' });
        return (await store.book(booking, reserve(90, limits))).outcome;
      }),
    );
    expect(outcomes.filter((one) => one === 'ok')).toHaveLength(11);
    expect(outcomes.filter((one) => one === 'day')).toHaveLength(39);
    expect((await standing()).reserved).toBe(990);
  });

  it('equals the bill after any history of calls, repeated writes, takeovers and late workers, and never passes the budget', async () => {
    const call = fc.record({
      run: fc.integer({ min: 0, max: 2 }),
      most: fc.integer({ min: 1, max: 400 }),
      share: fc.integer({ min: 0, max: 100 }),
      next: fc.constantFrom('settle', 'twice', 'takeover', 'late', 'crash'),
    });
    const limits = { day: 1_000 };
    let histories = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 15 }), async (calls) => {
        histories += 1;
        const own = `${account}:${histories}`;
        const runs = [0, 1, 2].map(() => ({ nano: 0, fence: 1 }));
        const bookOf = (run: number, fence: number, nano: number) =>
          used(nano, { account: own, id: `inv_${run}`, fence: `${fence}` });
        for (const { run, most, share, next } of calls) {
          const state = runs[run];
          const booking = bookOf(run, state.fence, state.nano);
          const { outcome } = await store.book(booking, reserve(most, limits));
          if (outcome !== 'ok') continue;
          // Its worker is lost before the call, whose reservation stays until the next worker books.
          if (next === 'crash') state.fence += 1;
          if (next === 'crash') continue;
          const before = state.nano;
          state.nano += Math.floor((most * share) / 100);
          if (next === 'takeover' || next === 'late') state.fence += 1;
          const after = bookOf(run, state.fence, state.nano);
          await store.book(after);
          if (next === 'twice') await store.book(after);
          if (next === 'late')
            await store.book(
              bookOf(run, state.fence - 1, before),
              reserve(most),
            );
        }
        const bill = runs.reduce((sum, { nano }) => sum + nano, 0);
        for (const [run, { nano }] of runs.entries()) {
          const end = used(nano, { account: own, id: `inv_${run}` });
          await store.book({ ...end, isFinal: true });
          await store.book({ ...end, isFinal: true });
        }
        expect(bill).toBeLessThanOrEqual(limits.day);
        expect(await store.standing(own)).toEqual({
          day: bill,
          month: bill,
          reserved: 0,
        });
      }),
      { numRuns: 60 },
    );
  });

  it('keeps free what a reservation says, and names the month', async () => {
    const limits = { day: 1_000, month: 100 };
    const book = (nano: number, free: number) =>
      store.book(used(20, { fence: '1' }), reserve(nano, limits, free));
    expect((await book(60, 21)).outcome).toBe('month');
    expect((await book(60, 20)).outcome).toBe('ok');
    expect((await book(0, 0)).standing.reserved).toBe(0);
  });

  it('ignores a worker that has lost the run, and frees all at the end', async () => {
    await store.book(used(5, { fence: '2' }), reserve(50));
    const late = used(9, { fence: '1' });
    expect((await store.book(late, reserve(70))).outcome).toBe('lost');
    expect(await standing()).toMatchObject({ day: 5, reserved: 50 });
    await store.book(used(6, { isFinal: true }));
    expect(await standing()).toMatchObject({ day: 6, reserved: 0 });
    await store.book(used(6, { fence: '2' }), reserve(50));
    expect((await standing()).reserved).toBe(0);
  });

  it('counts a group of calls once', async () => {
    await store.count(account, 'g', [CALL, { ...CALL, model: 'n' }]);
    await store.count(account, 'g', [CALL]);
    expect((await standing()).day).toBe(14);
    expect((await today()).map(({ model }) => model)).toEqual(['m', 'n']);
  });

  it('distinguishes a bounded number of models', async () => {
    const models = Array.from({ length: MAX_LINES + 50 }, (_, at) => `m${at}`);
    const lines = models.map((model) => ({ ...CALL, model }));
    await store.count(account, 'g', lines);
    const all = await today();
    expect(all).toHaveLength(MAX_LINES + 1);
    expect(all.find(({ model }) => model === 'other')!.runs).toBe(50);
    expect((await standing()).day).toBe(7 * models.length);
  });

  it('lets everything expire', async () => {
    await store.book(used(5, { fence: '1' }), reserve(50));
    await store.count(account, 'g', [CALL]);
    const keys = await connections.commands.keys(
      `sonde:spend:{${encodeURIComponent(account)}}*`,
    );
    expect(keys).toHaveLength(5);
    for (const key of keys)
      expect(await connections.commands.pttl(key)).toBeGreaterThan(0);
  });

  it('refuses a key whose budget is spent, and says when it begins anew', async () => {
    await store.book(used(2e9));
    await budgets.check({ account });
    budget = { day_usd: 2, month_usd: 2.1 };
    const ends = endsOf(store.now());
    const hits: string[] = [];
    const end = listen({
      limit_hit: ({ limit }: { limit: string }) => hits.push(limit),
    } as unknown as Parameters<typeof listen>[0]);
    await expect(budgets.check({ account })).rejects.toMatchObject({
      code: 'budget_exceeded',
      status: 402,
      retryable: false,
      limit: 'budget.day_usd',
      resetsAt: new Date(ends.day).toISOString(),
    });
    await budgets.check({ account: 'another' });
    budget = { month_usd: 2 };
    await expect(budgets.check({ account })).rejects.toMatchObject({
      limit: 'budget.month_usd',
      resetsAt: new Date(ends.month).toISOString(),
    });
    budget = { day_usd: 2.000_000_001 };
    await budgets.check({ account });
    expect(hits).toEqual(['budget.day_usd', 'budget.month_usd']);
    end();
  });

  it.each([
    ['day_usd', 'budget.day_usd'],
    ['month_usd', 'budget.month_usd'],
  ])(
    'refuses a key with a budget (%s) until the next day once a cost is not known',
    async (period, limit) => {
      budget = { [period]: 100 };
      await store.book(used(1, { isFinal: true }));
      await budgets.check({ account });
      const unknown = used(0, { id: 'inv_2', unknown: 1, isFinal: true });
      await store.book(unknown);
      await store.book(unknown);
      await expect(budgets.check({ account })).rejects.toMatchObject({
        code: 'budget_exceeded',
        message: expect.stringContaining('what 1 of'),
        limit,
        resetsAt: new Date(endsOf(store.now()).day).toISOString(),
      });
      budget = undefined;
      await budgets.check({ account });
    },
  );

  it('counts calls in groups, and knows at once what they came to', async () => {
    budget = { day_usd: 1 };
    const meter = new CallMeter(store, budgets);
    const call = { ...CALL, nano: 4e8 };
    await budgets.check({ account }, VIEW_MS);
    for (let at = 0; at < 3; at += 1) meter.count(account, call, at === 1);
    await meter.beforeApplicationShutdown();
    expect((await today())[0]).toMatchObject({ runs: 3, nano: 1.2e9 });
    await expect(budgets.check({ account }, 60_000)).rejects.toMatchObject({
      code: 'budget_exceeded',
    });
  });

  it('reads an account once for all who ask in one turn, and again for whoever asks later', async () => {
    budget = { day_usd: 1 };
    const read = jest.spyOn(store, 'standing');
    const first = Promise.all([1, 2, 3].map(() => budgets.spentOf(account)));
    await budgets.spentOf('another');
    expect(read.mock.calls).toEqual([[account], ['another']]);
    await store.book(used(1e9));
    const later = budgets.spentOf(account);
    expect((await first).every((spent) => spent === undefined)).toBe(true);
    expect(await later).toMatchObject({ period: 'day' });
    read.mockRejectedValueOnce(new Error('down'));
    const failing = [budgets.spentOf(account), budgets.spentOf(account)];
    for (const one of failing) await expect(one).rejects.toThrow('down');
    expect(await budgets.spentOf(account)).toMatchObject({ period: 'day' });
    read.mockRestore();
  });

  it('knows the ends of days and months by UTC', () => {
    const ms = Date.parse('2027-12-31T23:59:59.999Z');
    const next = Date.parse('2028-01-01T00:00:00Z');
    expect([dayOf(ms), monthOf(ms)]).toEqual(['2027-12-31', '2027-12']);
    expect(endsOf(ms)).toEqual({ day: next, month: next });
  });
});
