import { all } from '../../../test/support/client';
import { TestRedis } from '../../../test/support/redis/redis';
import type { AppConfig } from '../../config/config';
import { loadConfig } from '../../config/load-config';
import { RedisCheckup } from './redis-checkup';
import { RedisConnections } from './redis-connections';
import { problemsOf } from './state/redis-problems';

describe(RedisCheckup.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;
  let config: AppConfig;

  beforeAll(async () => {
    redis = await TestRedis.start();
    config = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(config.redis!, 'wait');
  });
  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  const look = async () => {
    const checkup = new RedisCheckup(connections, config);
    const findings = await all(checkup.look());
    return findings.map(({ problem }) => problem);
  };
  const set = (name: string, value: string) =>
    redis.call('CONFIG', 'SET', name, value);

  beforeEach(async () => {
    await set('appendonly', 'yes');
    await set('maxmemory', '0');
    await set('maxmemory-policy', 'noeviction');
  });

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
      expect.stringMatching('memory is nearly full'),
    ]);
  });

  const textsOf = (info: string) => problemsOf([info]).map(({ text }) => text);

  it('words a memory that is nearly full alike at each look, so that a second look finds it again', () => {
    const at = (used: number) => `aof_enabled:1\r\nused_memory:${used}\r\n`;
    const textsAt = (used: number) =>
      problemsOf([at(used)], 900).map(({ text }) => text);
    expect(textsAt(901)).toHaveLength(1);
    expect(textsAt(950)).toEqual(textsAt(901));
    expect(textsAt(900)).toEqual([]);
  });

  it('reports a server whose disk is full', () => {
    const info =
      'aof_enabled:1\r\naof_last_write_status:err\r\nmaxmemory:0\r\n';
    expect(textsOf(info)).toEqual([
      expect.stringMatching('The last write to the append-only file failed'),
    ]);
    expect(textsOf(info.replace('err', 'ok'))).toEqual([]);
  });
});
