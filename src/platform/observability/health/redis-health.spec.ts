import { TestRedis } from '../../../../test/support/redis/redis';
import { until } from '../../../../test/support/until';
import type { AppConfig } from '../../../config/config';
import { loadConfig } from '../../../config/load-config';
import { RedisConnections } from '../../redis/redis-connections';
import { HealthRegistry } from './health-registry';
import { checkRedis } from './redis-health';

describe(checkRedis.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;
  let config: AppConfig;

  beforeAll(async () => {
    redis = await TestRedis.start();
    config = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(config.redis!, 'fail-fast');
    await connections.onModuleInit();
  });
  afterEach(async () => {
    await redis.call('REPLICAOF', 'NO', 'ONE');
    await set('maxmemory', '0');
    await set('maxmemory-policy', 'noeviction');
    await set('min-replicas-to-write', '0');
    await until('Redis to be well', async (saw) => {
      const { status } = saw(await look());
      return status === 'ok';
    });
  });
  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  const set = (name: string, value: string) =>
    redis.call('CONFIG', 'SET', name, value);
  /** Of a registry of its own, because results are cached. */
  const look = (of: Pick<AppConfig, 'runs'> = config) => {
    const registry = new HealthRegistry();
    checkRedis(registry, connections, of);
    return registry.ready();
  };

  it.each([
    ['memory_full', () => set('maxmemory', '1')],
    ['too_few_replicas', () => set('min-replicas-to-write', '1')],
  ])('is degraded while writes are refused: %s', async (name, refuse) => {
    await refuse();
    expect(await look()).toMatchObject({
      status: 'degraded',
      checks: {
        redis: { status: 'ok' },
        storage: {
          status: 'failed',
          detail: expect.stringMatching(`^${name}: `),
        },
      },
    });
    expect(connections.ready).toBe(true);
  });

  it('is down at a replica, and well again once it is the primary', async () => {
    await redis.call('REPLICAOF', '127.0.0.1', '1');
    expect(await look()).toMatchObject({
      status: 'down',
      checks: { redis: { detail: expect.stringMatching(/^read_only: /) } },
    });
    expect(connections.ready).toBe(false);
  });

  it('is degraded while records may be evicted', async () => {
    await set('maxmemory-policy', 'allkeys-lru');
    expect((await look()).status).toBe('ok');
    await set('maxmemory', '1gb');
    expect(await look()).toMatchObject({
      status: 'degraded',
      checks: {
        storage: { detail: expect.stringMatching('policy is allkeys-lru') },
      },
    });
  });

  it('is degraded while memory is nearly full, so that submissions are refused', async () => {
    const runs = { ...config.runs, redisMaxBytes: 1 };
    expect(await look({ runs })).toMatchObject({
      status: 'degraded',
      checks: {
        storage: {
          status: 'failed',
          detail: expect.stringMatching('memory is nearly full'),
        },
      },
    });
    expect(connections.ready).toBe(true);
  });

  it('stores nothing and expires nothing by looking', async () => {
    const before = await redis.dump();
    const { length } = redis.readLog();
    await look();
    expect(await redis.dump()).toBe(before);
    expect(redis.readLog()).toHaveLength(length);
  });
});
