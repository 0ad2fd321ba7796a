import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { RedisConnections } from '../../redis/redis-connections';
import { AdmissionStore } from './admission.store';

describe(AdmissionStore.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;
  let admission: AdmissionStore;

  beforeAll(async () => {
    redis = await TestRedis.start();
    const config = loadConfig({
      REDIS_URL: redis.url,
    });
    connections = new RedisConnections(config.redis!, 'wait');
    admission = new AdmissionStore(connections, {
      tag: 'admission',
      limitOf: (pool) => (pool === 'small' ? 2 : 3),
    });
  });

  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  beforeEach(() => redis.call('FLUSHALL'));

  const NORMAL = 2;
  const join = (...ids: string[]) =>
    Promise.all(ids.map((id) => admission.join(id, NORMAL)));
  const enter = (id: string, pool = 'small') =>
    admission.enter(id, NORMAL, pool);

  it('admits as many as the pool has places for, in the order of the waiting list', async () => {
    await join('a', 'b', 'c');
    expect(await enter('c')).toEqual({ kind: 'wait', ahead: 2 });
    expect(await enter('b')).toMatchObject({ kind: 'in' });
    expect(await enter('a')).toMatchObject({ kind: 'in' });
    expect(await enter('c')).toEqual({ kind: 'wait', ahead: 0 });
  });

  it('gives a place that became free to the first of the waiting list', async () => {
    await join('a', 'b', 'c', 'd');
    await enter('a');
    await enter('b');
    expect(await admission.leave('a')).toBe('c');
    expect(await enter('d')).toEqual({ kind: 'wait', ahead: 1 });
    expect(await enter('c')).toEqual({ kind: 'in' });
  });

  it('names the next one as long as there are places', async () => {
    await join('a', 'b', 'c');
    expect(await enter('a')).toEqual({ kind: 'in', next: 'b' });
    expect(await enter('b')).toEqual({ kind: 'in' });
  });

  it('keeps the place of an admitted run, however often it asks', async () => {
    await join('a', 'b', 'c');
    await enter('a');
    await enter('a');
    await enter('b');
    expect(await enter('c')).toMatchObject({ kind: 'wait' });
    await admission.leave('a');
    await admission.leave('a');
    expect(await enter('c')).toMatchObject({ kind: 'in' });
    expect(await enter('d')).toMatchObject({ kind: 'wait' });
  });

  it('puts urgent runs first, and reports each position', async () => {
    await admission.join('low', 3);
    await admission.join('a', 2);
    await admission.join('b', 2);
    expect(await admission.join('high', 1)).toBe(1);
    const ids = ['high', 'a', 'b', 'low', 'nobody'];
    const positions = ids.map((id) => admission.position(id));
    expect(await Promise.all(positions)).toEqual([1, 2, 3, 4, null]);
  });

  it('removes a run that leaves from the waiting list', async () => {
    await join('a', 'b');
    expect(await admission.leave('a')).toBeUndefined();
    expect(await admission.position('b')).toBe(1);
  });

  it('counts each pool by itself, with its own limit', async () => {
    for (const id of ['a', 'b', 'c'])
      expect(await enter(id, 'large')).toMatchObject({ kind: 'in' });
    expect(await enter('d', 'large')).toMatchObject({ kind: 'wait' });
    await admission.leave('d');
    expect(await enter('e')).toMatchObject({ kind: 'in' });
  });

  it('lists the waiting runs that may enter', async () => {
    await join('a', 'b', 'c');
    expect(await admission.admissible('small')).toEqual(['a', 'b']);
    await enter('a');
    expect(await admission.admissible('small')).toEqual(['b']);
    await enter('b');
    expect(await admission.admissible('small')).toEqual([]);
  });

  it('keeps nothing of runs that have left', async () => {
    await join('a', 'b');
    await enter('a');
    await admission.leave('a');
    await admission.leave('b');
    expect(await redis.dump()).toBe('[]');
  });
});
