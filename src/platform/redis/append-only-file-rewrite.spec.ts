import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestRedis } from '../../../test/support/redis/redis';
import { until } from '../../../test/support/until';
import { loadConfig } from '../../config/load-config';
import { AppendOnlyFileRewrite } from './append-only-file-rewrite';
import { RedisConnections } from './redis-connections';

const SECRET = 'what a user has asked';

describe(AppendOnlyFileRewrite.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;

  beforeEach(async () => {
    redis = await TestRedis.start();
    const { redis: target } = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(target!, 'wait');
    await connections.onModuleInit();
  });
  afterEach(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  const rewrite = (flag: string) =>
    new AppendOnlyFileRewrite(
      connections,
      loadConfig({ RELAY_REWRITE_AFTER_DELETE: flag }),
    );
  /** What a thief of the disk would read. */
  const onDisk = async (): Promise<string> => {
    const [, dir] = (await redis.call('CONFIG', 'GET', 'dir')) as string[];
    const folder = join(dir, 'appendonlydir');
    const files = readdirSync(folder).map((file) =>
      readFileSync(join(folder, file), 'latin1'),
    );
    return files.join('');
  };
  const deleteSecret = async () => {
    await redis.call('SET', 'record', SECRET);
    await redis.call('DEL', 'record');
    expect(await onDisk()).toContain(SECRET);
  };
  const settled = () => redis.call('SET', 'sonde:rewrite', '1');

  it('removes deleted data from the file on disk', async () => {
    await deleteSecret();
    await rewrite('true').request();
    await settled();
    await rewrite('true').runIfDue();
    await until(
      'the secret to leave the disk',
      async () => !(await onDisk()).includes(SECRET),
    );
  });

  it('waits until stopped runs have ended, and runs at most once per interval', async () => {
    const log = rewrite('true');
    const begun = () => redis.call('EXISTS', 'sonde:rewriting');
    await log.request();
    await log.runIfDue();
    expect(await begun()).toBe(0);
    await settled();
    await log.runIfDue();
    expect(await begun()).toBe(1);
    await settled();
    await log.runIfDue();
    expect(await redis.call('GET', 'sonde:rewrite')).toBe('1');
  });

  it('does nothing unless it is enabled', async () => {
    await rewrite('false').request();
    expect(await redis.dump()).toBe('[]');
    await rewrite('true').runIfDue();
    expect(await redis.dump()).toBe('[]');
  });
});
