import { TestRedis } from '../../../test/support/redis';
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
      RESEARCH_MODEL_LIMITS: 'small:2,*:3',
    });
    connections = new RedisConnections(config.redis!, 'wait');
    admission = new AdmissionStore(connections, config);
  });

  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  beforeEach(() => redis.call('FLUSHALL'));

  const NORMAL = 2;
  const join = (...ids: string[]) =>
    Promise.all(ids.map((id) => admission.join(id, NORMAL)));
  const enter = (id: string, model = 'small') =>
    admission.enter(id, NORMAL, model);

  it('lets in as many as the model takes, in the order of the line', async () => {
    await join('a', 'b', 'c');
    expect(await enter('c')).toEqual({ kind: 'wait', before: 2 });
    expect(await enter('b')).toMatchObject({ kind: 'in' });
    expect(await enter('a')).toMatchObject({ kind: 'in' });
    expect(await enter('c')).toEqual({ kind: 'wait', before: 0 });
  });

  it('gives a place that became free to the first in line', async () => {
    await join('a', 'b', 'c', 'd');
    await enter('a');
    await enter('b');
    expect(await admission.leave('a')).toBe('c');
    expect(await enter('d')).toEqual({ kind: 'wait', before: 1 });
    expect(await enter('c')).toEqual({ kind: 'in' });
  });

  it('names the next one as long as there are places', async () => {
    await join('a', 'b', 'c');
    expect(await enter('a')).toEqual({ kind: 'in', next: 'b' });
    expect(await enter('b')).toEqual({ kind: 'in' });
  });

  it('keeps the place of whoever has one, however often it asks', async () => {
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

  it('puts the urgent in front, and says each its position', async () => {
    await admission.join('low', 3);
    await admission.join('a', 2);
    await admission.join('b', 2);
    expect(await admission.join('high', 1)).toBe(1);
    const ids = ['high', 'a', 'b', 'low', 'nobody'];
    const positions = ids.map((id) => admission.position(id));
    expect(await Promise.all(positions)).toEqual([1, 2, 3, 4, null]);
  });

  it('takes whoever leaves out of the line', async () => {
    await join('a', 'b');
    expect(await admission.leave('a')).toBeUndefined();
    expect(await admission.position('b')).toBe(1);
  });

  it('counts each model by itself, with the limit of any other', async () => {
    for (const id of ['a', 'b', 'c'])
      expect(await enter(id, 'large')).toMatchObject({ kind: 'in' });
    expect(await enter('d', 'large')).toMatchObject({ kind: 'wait' });
    await admission.leave('d');
    expect(await enter('e')).toMatchObject({ kind: 'in' });
  });

  it('knows for whom there is a place that nobody has called', async () => {
    await join('a', 'b', 'c');
    expect(await admission.admissible('small')).toEqual(['a', 'b']);
    await enter('a');
    expect(await admission.admissible('small')).toEqual(['b']);
    await enter('b');
    expect(await admission.admissible('small')).toEqual([]);
  });

  it('holds nothing of those that have left', async () => {
    await join('a', 'b');
    await enter('a');
    await admission.leave('a');
    await admission.leave('b');
    expect(await redis.dump()).toBe('[]');
  });
});
