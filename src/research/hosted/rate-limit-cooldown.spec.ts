import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { PAUSES } from '../../platform/pause';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { RateLimitCooldown, MAX_COOLDOWN_MS } from './rate-limit-cooldown';

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

  it('delays nothing before a 429', async () => {
    await mine.wait('free', forever);
    expect(await redis.call('EXISTS', 'sonde:brake:free')).toBe(0);
  });

  it('delays the requests of every worker under the same name until it ends', async () => {
    const passed: string[] = [];
    await mine.start('model', 300);
    const other = others
      .wait('model', forever)
      .then(() => passed.push('delayed'));
    await mine.wait('another model', forever);
    passed.push('free');
    await other;
    expect(passed).toEqual(['free', 'delayed']);
  });

  it('is never shortened by a later 429', async () => {
    await mine.start('long', 60_000);
    await others.start('long', 1);
    const limit = new AbortController();
    const waiting = mine.wait('long', limit.signal);
    const first = await Promise.race([
      waiting.then(() => 'over'),
      others.wait('none', forever).then(() => 'under way'),
    ]);
    limit.abort();
    await waiting;
    expect(first).toBe('under way');
  });

  it('lasts ten minutes at the most, whatever the endpoint asks for', async () => {
    await mine.start('hostile', 9_999_999_000);
    const end = (await others.endsAt('hostile'))!.getTime();
    expect(end - Date.now()).toBeLessThanOrEqual(MAX_COOLDOWN_MS);
    await others.clear('hostile');
    await mine.wait('hostile', forever);
    expect(await mine.endsAt('hostile')).toBeUndefined();
  });

  it('is over for those that wait already once it is ended', async () => {
    PAUSES.scale = 0.1;
    await mine.start('ended', MAX_COOLDOWN_MS);
    let left = Infinity;
    await mine.wait('ended', forever, 0, (ms) => {
      left = ms;
      return others.clear('ended');
    });
    PAUSES.scale = 1;
    expect(left).toBeGreaterThan(0);
    expect(await mine.endsAt('ended')).toBeUndefined();
  });

  it('reports the length of a wait before it begins, and an error of the report ends the wait', async () => {
    await mine.start('watched', 60_000);
    const refusal = new Error('too long');
    const passing = mine.wait('watched', forever, 0, (ms) => {
      expect(ms).toBeGreaterThan(0);
      throw refusal;
    });
    await expect(passing).rejects.toBe(refusal);
  });

  it('accepts a retry-after of 0', async () => {
    await mine.start('at once', 0);
    await mine.wait('at once', forever);
    expect(await redis.call('EXISTS', 'sonde:brake:at once')).toBe(0);
  });

  it('leaves no key behind when it ends', async () => {
    await mine.start('short', 20);
    await mine.wait('short', forever);
    expect(await redis.call('EXISTS', 'sonde:brake:short')).toBe(0);
  });
});
