import { TestRedis } from '../../../../test/support/redis/redis';
import { loadConfig } from '../../../config/load-config';
import { RedisConnections } from '../../../redis/redis-connections';
import { RateLimitCooldown, BRAKE_MOST_MS } from './rate-limit.cooldown';

describe(RateLimitCooldown.name, () => {
  let redis: TestRedis;
  let workers: RedisConnections[];
  let mine: RateLimitCooldown;
  let others: RateLimitCooldown;

  beforeAll(async () => {
    redis = await TestRedis.start();
    const config = loadConfig({ REDIS_URL: redis.url });
    workers = [1, 2].map(() => new RedisConnections(config.redis!, 'wait'));
    [mine, others] = workers.map(
      (connections) => new RateLimitCooldown(connections),
    );
  });

  afterAll(async () => {
    workers.forEach((connections) => connections.onApplicationShutdown());
    await redis.stop();
  });

  const forever = new AbortController().signal;

  it('lets pass whoever comes while it is off', async () => {
    await mine.pass('free', forever);
    expect(await redis.call('EXISTS', 'sonde:brake:free')).toBe(0);
  });

  it('stops the other workers as well, until its time is over', async () => {
    const passed: string[] = [];
    await mine.hit('model', 300);
    const other = others.pass('model', forever).then(() => passed.push('held'));
    await mine.pass('another model', forever);
    passed.push('free');
    await other;
    expect(passed).toEqual(['free', 'held']);
  });

  it('is never shortened by a later hit', async () => {
    await mine.hit('long', 60_000);
    await others.hit('long', 1);
    const limit = new AbortController();
    const waiting = mine.pass('long', limit.signal);
    const first = await Promise.race([
      waiting.then(() => 'passed'),
      others.pass('off', forever).then(() => 'still on'),
    ]);
    limit.abort();
    await waiting;
    expect(first).toBe('still on');
  });

  it('is on for ten minutes at the most, whatever was asked for', async () => {
    await mine.hit('hostile', 9_999_999_000);
    const end = (await others.end('hostile'))!.getTime();
    expect(end - Date.now()).toBeLessThanOrEqual(BRAKE_MOST_MS);
    await others.release('hostile');
    await mine.pass('hostile', forever);
    expect(await mine.end('hostile')).toBeUndefined();
  });

  it('tells how long a wait is before it begins, which may end it', async () => {
    await mine.hit('watched', 60_000);
    const refusal = new Error('too long');
    const passing = mine.pass('watched', forever, 0, (ms) => {
      expect(ms).toBeGreaterThan(0);
      throw refusal;
    });
    await expect(passing).rejects.toBe(refusal);
  });

  it('takes a wish for no break at all as one', async () => {
    await mine.hit('at once', 0);
    await mine.pass('at once', forever);
    expect(await redis.call('EXISTS', 'sonde:brake:at once')).toBe(0);
  });

  it('leaves nothing behind when its time is over', async () => {
    await mine.hit('short', 20);
    await mine.pass('short', forever);
    expect(await redis.call('EXISTS', 'sonde:brake:short')).toBe(0);
  });
});
