import { all } from '../../../test/support/client';
import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { RedisCheckup } from './redis-checkup';
import { RedisConnections } from './redis-connections';
import { problemsOf } from './state/redis-problems';

describe(RedisCheckup.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;

  beforeAll(async () => {
    redis = await TestRedis.start();
    const { redis: target } = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(target!, 'wait');
  });
  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  const look = async () => {
    const checkup = new RedisCheckup(connections);
    const findings = await all(checkup.look());
    return findings.map(({ problem }) => problem);
  };
  const set = (name: string, value: string) =>
    redis.call('CONFIG', 'SET', name, value);

  it('reports nothing for a server that stores data durably', async () => {
    await set('maxmemory', '1gb');
    expect(await look()).toEqual([]);
    // What has no limit never evicts.
    await set('maxmemory', '0');
    await set('maxmemory-policy', 'allkeys-lru');
    expect(await look()).toEqual([]);
  });

  it('reports a server without persistence, with eviction or nearly full', async () => {
    await set('appendonly', 'no');
    await set('maxmemory', '1mb');
    await set('maxmemory-policy', 'allkeys-lru');
    expect(await look()).toEqual([
      expect.stringMatching('its memory is full'),
      expect.stringMatching('append-only file is off'),
      expect.stringMatching('maxmemory-policy is allkeys-lru'),
      expect.stringMatching(/% of maxmemory is used/),
    ]);
  });

  const textsOf = (info: string) => problemsOf([info]).map(({ text }) => text);

  it('reports a server whose disk is full', () => {
    const info =
      'aof_enabled:1\r\naof_last_write_status:err\r\nmaxmemory:0\r\n';
    expect(textsOf(info)).toEqual([
      expect.stringMatching('The last write to the append-only file failed'),
    ]);
    expect(textsOf(info.replace('err', 'ok'))).toEqual([]);
  });
});
