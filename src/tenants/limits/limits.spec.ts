import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import type { KeySettings, StoredKeys } from '../../platform/auth/stored-keys';
import { loadConfig } from '../../config/load-config';
import { AppError } from '../../platform/errors';
import { listen } from '../../platform/metrics/facts';
import type { CountedRun } from '../../runs/submit/submission-limits';
import { ACCOUNT_KEYS } from './limit-keys';
import { KeyLimits } from './account-limits';
import { RateStore } from './rate.store';
import { SubmissionLimiter } from './submission-limiter';

describe('limits', () => {
  let redis: TestRedis;
  let room: Invocations;
  let rates: RateStore;
  let submissions: SubmissionLimiter;
  let settings: Record<string, object>;

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    settings = {};
    const config = loadConfig({
      REDIS_URL: redis.url,
      RELAY_KEY_LIMITS: 'requests_per_minute:3,body_bytes_per_minute:100',
      RELAY_MAX_INVOCATIONS: '10',
    });
    room = new Invocations(redis, config);
    const stored = {
      settingsOf: (account: string) => settings[account] ?? {},
    } as unknown as StoredKeys;
    const limits = new KeyLimits(config, stored);
    const { connections, unfinished, reader, endings } = room;
    rates = new RateStore(connections, limits);
    submissions = new SubmissionLimiter(
      connections,
      config,
      limits,
      unfinished,
      reader,
      endings,
    );
    submissions.onModuleInit();
  });
  afterEach(() => room.close());

  const set = (limits: unknown, account = 'a') =>
    (settings[account] = { limits } as KeySettings);
  const buckets = ACCOUNT_KEYS.buckets('a');
  const take = async (bytes = 0, account = 'a') =>
    (await rates.take(account, 1, bytes)).refusedBy ?? 'passes';
  const admit = (id: string, of: Partial<CountedRun> = {}) =>
    submissions
      .admit({
        id,
        account: 'a',
        isResearch: false,
        isParked: false,
        bytes: 10,
        isForced: false,
        ...of,
      })
      .then(
        () => 'passes',
        (error: unknown) =>
          error instanceof AppError ? error.limit : String(error),
      );
  const stored = async () =>
    (await redis.call('HVALS', ACCOUNT_KEYS.stored('a'))) as string[];
  /** As if everything in the bucket had happened so long ago. */
  const wait = async (name: string, ms: number) => {
    const at = Number(await redis.call('HGET', buckets, `${name}:at`));
    await redis.call('HSET', buckets, `${name}:at`, String(at - ms));
  };

  it('a group of many accounts is judged request by request, each in its turn', async () => {
    const replies = await Promise.all([
      take(60),
      take(60),
      take(40),
      take(0),
      take(0),
      ...['b', 'b', 'b', 'b'].map((account) => take(0, account)),
    ]);
    expect(replies).toEqual([
      'passes',
      // It takes nothing, so that the ones after it pass.
      'body_bytes_per_minute',
      'passes',
      'passes',
      'requests_per_minute',
      'passes',
      'passes',
      'passes',
      'requests_per_minute',
    ]);
  });

  it('a bucket is refilled by the clock of Redis, and never holds more than a minute', async () => {
    await Promise.all([take(), take(), take()]);
    const refused = await rates.take('a', 1, 0);
    expect(refused.waitMs).toBeLessThanOrEqual(20_000);
    expect(refused.waitMs).toBeGreaterThan(0);
    await wait('requests_per_minute', 20_000);
    expect([await take(), await take()]).toEqual([
      'passes',
      'requests_per_minute',
    ]);
    await wait('requests_per_minute', 3_600_000);
    const { rates: left } = await rates.take('a', 1, 0);
    expect(left[0]).toMatchObject({ most: 3, left: 2 });
    // A clock that was set back refills nothing, and takes nothing.
    await wait('requests_per_minute', -3_600_000);
    expect((await rates.take('a', 1, 0)).rates[0].left).toBe(1);
    expect(Number(await redis.call('PTTL', buckets))).toBeGreaterThan(0);
  });

  it.each([null, 'x', -1, 0, 1.5, NaN, '7', {}])(
    'a stored limit of %p, which no version writes, is that of the service',
    async (limit) => {
      set({ requests_per_minute: limit });
      await redis.call('HSET', buckets, 'requests_per_minute', 'nan');
      expect((await rates.take('a', 1, 0)).rates[0]).toMatchObject({
        most: 3,
        left: 2,
      });
    },
  );

  it('a submission is all or nothing, counted once, and reported by the name of its limit', async () => {
    const hits: string[] = [];
    const end = listen({
      limit_hit: ({ limit }: { limit: string }) => hits.push(limit),
    } as unknown as Parameters<typeof listen>[0]);
    set({ unfinished_runs: 3, research_per_minute: 1, stored_bytes: 50 });
    const research = { isResearch: true };
    expect(await admit('1', research)).toBe('passes');
    expect(await admit('1', research)).toBe('passes');
    expect(await admit('2', research)).toBe('research_per_minute');
    expect(await admit('2', { bytes: 41 })).toBe('stored_bytes');
    expect(await admit('2')).toBe('passes');
    expect(await admit('3')).toBe('passes');
    expect(await admit('4')).toBe('unfinished_runs');
    expect(await stored()).toEqual(['30']);
    // Alarms have a limit of their own.
    expect(await admit('5', { isParked: true })).toBe('passes');
    expect(await admit('5', { account: 'b' })).toBe('passes');
    end();
    expect(hits).toEqual([
      'research_per_minute',
      'stored_bytes',
      'unfinished_runs',
    ]);
  });

  it('what an accepted run repeats is counted and never refused', async () => {
    set({ unfinished_runs: 1, research_per_minute: 1, stored_bytes: 15 });
    const forced = { isForced: true, isResearch: true };
    for (const id of ['1', '2', '3'])
      expect(await admit(id, forced)).toBe('passes');
    expect(await admit('4')).toBe('unfinished_runs');
    await wait('research_per_minute', 60_000);
    set({ unfinished_runs: 9, research_per_minute: 1, stored_bytes: 99 });
    // Overdrawn by as much as a minute holds.
    expect(await admit('4', { isResearch: true })).toBe('research_per_minute');
  });

  it('the end and the removal of a run make room, once, and its result is counted once', async () => {
    set({ unfinished_runs: 2 });
    for (const id of ['inv_1', 'inv_2']) {
      expect(await admit(id)).toBe('passes');
      await room.unfinished.reserve(id);
      await room.store.create(id, { tool: 'deep_research', account: 'a' });
    }
    expect(await admit('inv_3')).toBe('unfinished_runs');
    await redis.call('SET', 'sonde:{inv_1}:text', '12345');
    await room.store.cancel('inv_2', { remove: true });
    for (const id of ['inv_1', 'inv_1', 'inv_2', 'inv_2'])
      await room.endings.settle(id);
    expect(await stored()).toEqual(['25']);
    expect(await admit('inv_3')).toBe('passes');
    expect(await admit('inv_4')).toBe('passes');
    expect(await admit('inv_5')).toBe('unfinished_runs');
  });

  it('a run counts no more before its end can be seen, and again if it goes on', async () => {
    set({ unfinished_runs: 1 });
    const tool = { tool: 'deep_research', account: 'a' };
    await admit('inv_1');
    await room.unfinished.reserve('inv_1');
    await room.store.create('inv_1', tool);
    const seen: (string | undefined)[] = [];
    const look = async () => {
      seen.push(await admit('inv_2'));
      await submissions.release('inv_2', 'a');
    };
    await room.endings.ending('inv_1', look, () => true);
    await look();
    await room.endings.ending(
      'inv_1',
      () => room.end('inv_1'),
      () => false,
    );
    await look();
    expect(seen).toEqual(['passes', 'unfinished_runs', 'passes']);
    // Its result is still counted.
    await redis.call('SET', 'sonde:{inv_1}:text', '12345');
    await room.endings.settle('inv_1');
    expect(await stored()).toEqual(['35']);
  });

  it('what a crash or an older process has left is found before anything is refused for it', async () => {
    set({ unfinished_runs: 2 });
    await admit('left');
    await admit('going');
    await room.unfinished.reserve('going');
    // One that was counted a moment ago may be on its way.
    const other = room.unfinished.without(['left']);
    expect(await other).toEqual(['left']);
    for (const id of ['left', 'going'])
      await redis.call('ZADD', ACCOUNT_KEYS.runs('a'), '1', id);
    expect(await admit('new')).toBe('passes');
    expect(await admit('more')).toBe('unfinished_runs');
  });
});
