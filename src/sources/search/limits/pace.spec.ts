import { TestRedis } from '../../../../test/support/redis/redis';
import { until } from '../../../../test/support/until';
import { loadConfig } from '../../../config/load-config';
import { OptionalRedis } from '../../../platform/redis/optional-redis';
import { RedisConnections } from '../../../platform/redis/redis-connections';
import { LocalPace } from './local-pace';
import type { Pace } from './pace';
import { SharedPace } from './shared-pace';

describe('the pace of searches', () => {
  let redis: TestRedis;
  /** Of two workers. */
  const connected: RedisConnections[] = [];
  let keys = 0;

  beforeAll(async () => {
    redis = await TestRedis.start();
    const target = loadConfig({ REDIS_URL: redis.url }).redis!;
    for (let i = 0; i < 2; i += 1)
      connected.push(new RedisConnections(target, 'wait'));
    await Promise.all(connected.map((one) => one.onModuleInit()));
  });

  afterAll(async () => {
    connected.forEach((one) => one.onApplicationShutdown());
    await redis.stop();
  });

  const local = (): LocalPace => new LocalPace(() => performance.now());
  const worker = (i = 0): SharedPace =>
    new SharedPace(new OptionalRedis(connected[i]), local());

  const kinds: [string, () => Pace][] = [
    ['of all workers', worker],
    ['of one process', local],
  ];

  describe.each(kinds)('%s', (_, create) => {
    let pace: Pace;
    let key: string;

    beforeEach(() => {
      pace = create();
      key = `provider-${(keys += 1)}`;
    });

    it('lets as many start in a window as the rate allows, and reserves later starts', async () => {
      const rate = { requests: 2, windowMs: 100_000 };
      const waits = [];
      for (let i = 0; i < 5; i += 1)
        waits.push((await pace.reserve(key, rate, 1_000_000)).waitMs);
      expect(waits.slice(0, 2)).toEqual([0, 0]);
      for (const wait of waits.slice(2, 4)) {
        expect(wait).toBeGreaterThan(90_000);
        expect(wait).toBeLessThanOrEqual(100_000);
      }
      expect(waits[4]).toBeGreaterThan(190_000);
    });

    it('refuses a start that is later than the caller waits, and takes no turn for it', async () => {
      const rate = { requests: 1, windowMs: 100_000 };
      await pace.reserve(key, rate, 0);
      for (let i = 0; i < 3; i += 1) {
        const refusal = await pace.reserve(key, rate, 50_000);
        expect(refusal).toMatchObject({
          granted: false,
          fault: 'rate_limited',
        });
        expect(refusal.waitMs).toBeLessThanOrEqual(100_000);
      }
    });

    it('delays nothing without a rate', async () => {
      for (let i = 0; i < 3; i += 1)
        expect(await pace.reserve(key, undefined, 0)).toMatchObject({
          granted: true,
          waitMs: 0,
        });
    });

    it('makes every start wait for the end of a pause', async () => {
      await pace.pause(key, 50_000, 'rate_limited');
      const { granted, waitMs } = await pace.reserve(key, undefined, 60_000);
      expect(granted).toBe(true);
      expect(waitMs).toBeGreaterThan(40_000);
      expect(await pace.paused(key)).toBe('rate_limited');
      expect(await pace.paused('other')).toBeUndefined();
    });

    it('waits for no end of a pause for a wrong key', async () => {
      await pace.pause(key, 50_000, 'unauthorized');
      expect(await pace.reserve(key, undefined, 60_000)).toMatchObject({
        granted: false,
        fault: 'unauthorized',
      });
    });

    it('never shortens a pause', async () => {
      await pace.pause(key, 50_000, 'quota_exceeded');
      await pace.pause(key, 1, 'rate_limited');
      expect(await pace.paused(key)).toBe('quota_exceeded');
    });

    it('ends a pause', async () => {
      await pace.pause(key, 1, 'unauthorized');
      await until(
        'a turn to be granted',
        async (saw) => saw(await pace.reserve(key, undefined, 0)).granted,
      );
      await until(
        'the pause to end',
        async (saw) => saw(await pace.paused(key)) === undefined,
      );
    });
  });

  it('is one for all workers', async () => {
    const [one, other] = [worker(0), worker(1)];
    const rate = { requests: 3, windowMs: 100_000 };
    const turns = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 ? one : other).reserve('shared', rate, 0),
      ),
    );
    expect(turns.filter(({ granted }) => granted)).toHaveLength(3);
    await one.pause('shared pause', 50_000, 'unauthorized');
    expect(await other.paused('shared pause')).toBe('unauthorized');
  });

  it('leaves nothing in Redis once it is over', async () => {
    const pace = worker();
    await pace.reserve('brief', { requests: 5, windowMs: 1 }, 0);
    await pace.pause('brief', 1, 'rate_limited');
    await until(
      'Redis to hold nothing of it',
      async (saw) => saw(await redis.dump('*brief*')) === '[]',
    );
  });

  it('is that of each process while Redis is unavailable', async () => {
    const pace = worker();
    await pace.pause('outage', 100_000, 'unauthorized');
    await redis.down();
    const rate = { requests: 1, windowMs: 100_000 };
    const turns = [
      await pace.reserve('free', rate, 0),
      await pace.reserve('free', rate, 0),
    ];
    expect(turns.map(({ granted }) => granted)).toEqual([true, false]);
    expect(await pace.paused('outage')).toBe('unauthorized');
    await redis.up();
    const isBack = ({ ready, subscriber }: RedisConnections): boolean =>
      ready && subscriber.status === 'ready';
    await until('all connections to be back', () => connected.every(isBack));
  });
});
