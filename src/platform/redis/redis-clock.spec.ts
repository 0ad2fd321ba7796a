import type { Redis } from 'ioredis';
import { TestRedis } from '../../../test/support/redis/redis';
import { RedisClock } from './redis-clock';

describe(RedisClock.name, () => {
  let redis: TestRedis;
  let client: Redis;
  let clock: RedisClock;

  beforeAll(async () => {
    redis = await TestRedis.start();
    client = redis.connect();
    clock = new RedisClock(client);
    await client.ping();
    for (let n = 0; n < 3; n += 1) await clock.sync();
  });
  afterAll(async () => {
    clock.close();
    client.disconnect();
    await redis.stop();
  });

  it('is that of Redis, although its process stood still while it asked', async () => {
    const asked = clock.sync();
    // Sent, and answered while nothing runs here.
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
    await asked;
    const before = await millis();
    const now = clock.now();
    expect(now).toBeGreaterThan(before - 1_000);
    expect(now).toBeLessThan((await millis()) + 1_000);
  });

  const millis = async (): Promise<number> => {
    const [seconds, micros] = await client.time();
    return Number(seconds) * 1_000 + Number(micros) / 1_000;
  };
});
