import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { AdmissionStore, type Applicant } from './admission.store';

const LIMITS: Record<string, number> = { one: 1, small: 2, large: 3 };

describe(AdmissionStore.name, () => {
  const nobodys = {
    queue: 'model',
    account: '',
    weight: 1,
    precedence: false,
    most: 0,
  };
  const applicants = new Map<string, Applicant>();
  const ranks = new Map<string, number>();
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
      limitOf: (pool) => LIMITS[pool],
      queues: ['model', 'another model'],
      applicantOf: async (id) => applicants.get(id) ?? nobodys,
    });
  });

  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  beforeEach(async () => {
    applicants.clear();
    ranks.clear();
    await redis.call('FLUSHALL');
  });

  const HIGH = 1;
  const NORMAL = 2;
  const join = (...ids: string[]) =>
    Promise.all(ids.map((id) => admission.join(id, NORMAL)));
  const enter = (id: string, pool = 'small') =>
    admission.enter(id, ranks.get(id) ?? NORMAL, pool);

  it('admits as many as the pool has places for, in the order of the waiting list', async () => {
    await join('a', 'b', 'c');
    expect(await enter('c')).toEqual({ kind: 'wait', ahead: 2, next: 'a' });
    expect(await enter('b')).toMatchObject({ kind: 'in' });
    expect(await enter('a')).toMatchObject({ kind: 'in' });
    expect(await enter('c')).toEqual({ kind: 'wait', ahead: 0 });
  });

  it('gives a place that became free to the first of the waiting list', async () => {
    await join('a', 'b', 'c', 'd');
    await enter('a');
    await enter('b');
    expect(await admission.leave('a')).toEqual(['c']);
    expect(await enter('d')).toEqual({ kind: 'wait', ahead: 1, next: 'c' });
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
    const ids = ['high', 'a', 'b', 'low', 'unknown'];
    const positions = ids.map((id) => admission.position(id));
    expect(await Promise.all(positions)).toEqual([1, 2, 3, 4, null]);
  });

  it('removes a run that leaves from the waiting list', async () => {
    await join('a', 'b');
    expect(await admission.leave('a')).toEqual([]);
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
    expect(await admission.admissible('model', 'small')).toEqual(['a', 'b']);
    await enter('a');
    expect(await admission.admissible('model', 'small')).toEqual(['b']);
    await enter('b');
    expect(await admission.admissible('model', 'small')).toEqual([]);
  });

  it('keeps nothing of runs that have left', async () => {
    await join('a', 'b');
    await enter('a');
    await admission.leave('a');
    await admission.leave('b');
    expect(await redis.dump()).toBe('[]');
  });

  /** Ids of waiting runs of an account: its name and a number. */
  const queueUp = async (
    account: string,
    count: number,
    { rank = NORMAL, ...applicant }: Partial<Applicant & { rank: number }> = {},
  ): Promise<string[]> => {
    const ids = Array.from(
      { length: count },
      (_, i) => `${account}${String(i).padStart(4, '0')}`,
    );
    for (const id of ids) {
      applicants.set(id, { ...nobodys, account, ...applicant });
      ranks.set(id, rank);
    }
    await Promise.all(ids.map((id) => admission.join(id, rank)));
    return ids;
  };
  /** Gives a single place to one after another, as often as said. Returns who got it. */
  const serve = async (times: number): Promise<string[]> => {
    const served: string[] = [];
    for (let n = 0; n < times; n += 1) {
      const [id] = await admission.admissible('model', 'one');
      expect(await enter(id, 'one')).toEqual({ kind: 'in' });
      served.push(id);
      await admission.leave(id);
    }
    return served;
  };
  const accountsOf = (ids: string[]) => ids.map((id) => id[0]).join('');
  const sorted = (accounts: string) => Array.from(accounts).sort().join('');

  it('lets the first run of another account begin with the next place, however many wait', async () => {
    await queueUp('a', 1000);
    await enter('a0000', 'one');
    const [b] = await queueUp('b', 1);
    expect(await enter('a0001', 'one')).toEqual({ kind: 'wait', ahead: 0 });
    expect(await admission.leave('a0000')).toEqual([b]);
    expect(await enter('a0001', 'one')).toEqual({
      kind: 'wait',
      ahead: 0,
      next: b,
    });
    expect(await enter(b, 'one')).toMatchObject({ kind: 'in' });
    expect(await admission.leave(b)).toEqual(['a0001']);
    expect(await admission.position('a0999')).toBe(999);
  });

  it('divides the places exactly by weight', async () => {
    await queueUp('a', 50);
    await queueUp('b', 50);
    await queueUp('c', 50, { weight: 3 });
    const served = accountsOf(await serve(50));
    for (let round = 0; round < 50; round += 5)
      expect(sorted(served.slice(round, round + 5))).toBe('abccc');
  });

  it('gives no credit for the time in which an account asked for nothing', async () => {
    await queueUp('b', 1);
    await queueUp('a', 20);
    await serve(11);
    await queueUp('b', 20);
    expect(accountsOf(await serve(6))).toMatch(/^(ab|ba){3}$/);
  });

  it('forgives no account that its last waiting run has just begun', async () => {
    await enter('c', 'one');
    for (const id of ['a1', 'a2'])
      applicants.set(id, { ...nobodys, account: 'a' });
    applicants.set('b1', { ...nobodys, account: 'b' });
    await admission.join('a1', NORMAL);
    await admission.leave('c');
    await enter('a1', 'one');
    await admission.join('a2', NORMAL);
    await admission.join('b1', NORMAL);
    expect(await admission.leave('a1')).toEqual(['b1']);
  });

  it('orders by priority within an account, and among accounts only where it has the right', async () => {
    await queueUp('a', 2);
    await queueUp('b', 1);
    await queueUp('high of a ', 2, { account: 'a', rank: HIGH });
    expect(await admission.position('a0000')).toBe(3);
    expect(await serve(3)).toEqual([
      'high of a 0000',
      'b0000',
      'high of a 0001',
    ]);
    await queueUp('b', 1);
    await queueUp('c', 2, { rank: HIGH, precedence: true });
    await queueUp('c of normal priority ', 1, {
      account: 'c',
      precedence: true,
    });
    expect(await admission.position('c of normal priority 0000')).toBe(3);
    expect((await serve(2)).join()).toBe('c0000,c0001');
    expect(sorted(accountsOf(await serve(4)))).toBe('aabc');
  });

  it('lets runs that wait for something else delay no others', async () => {
    await queueUp('a', 10, { queue: 'another model' });
    const [b] = await queueUp('b', 1);
    expect(await admission.admissible('model', 'one')).toEqual([b]);
    expect(await enter(b, 'one')).toEqual({ kind: 'in' });
  });

  it('has a process carry no more than it can, by turns as well', async () => {
    LIMITS.unlimited = 0;
    await queueUp('a', 3);
    const [b] = await queueUp('b', 1);
    const enterAt = (id: string, room: number) =>
      admission.enter(id, NORMAL, 'unlimited', room);
    expect(await enterAt('a0000', 1)).toEqual({ kind: 'in' });
    expect(await enterAt('a0001', 1)).toMatchObject({ kind: 'wait', next: b });
    expect(await admission.admissible('model', 'unlimited', 1)).toEqual([b]);
    expect(await admission.rejoin('a0000', NORMAL)).toBe(0);
    expect(await enterAt(b, 1)).toEqual({ kind: 'in' });
    expect(await admission.position('a0002')).toBe(3);
    for (const id of ['a0000', 'a0001', 'a0002'])
      expect(await enterAt(id, 3)).toEqual({ kind: 'in' });
  });

  describe('of an account that may have so many admitted runs', () => {
    it('lets others pass, and continues when one of its runs has ended', async () => {
      await queueUp('a', 3, { most: 1 });
      await queueUp('b', 2, { most: 1 });
      expect(await enter('a0000', 'large')).toMatchObject({ next: 'b0000' });
      expect(await admission.admissible('model', 'large')).toEqual(['b0000']);
      expect(await enter('a0001', 'large')).toEqual({
        kind: 'full',
        ahead: 0,
        next: 'b0000',
      });
      expect(await enter('b0000', 'large')).toEqual({ kind: 'in' });
      expect(await admission.admissible('model', 'large')).toEqual([]);
      await queueUp('c', 1);
      expect(await enter('c0000', 'large')).toEqual({ kind: 'in' });
      expect(await admission.leave('a0000')).toEqual(['a0001']);
      expect(await enter('a0001', 'large')).toMatchObject({ kind: 'in' });
    });

    it('admits none while the account is closed, and lets others pass', async () => {
      await queueUp('a', 2, { most: -1 });
      const [b] = await queueUp('b', 1);
      expect(await admission.admissible('model', 'large')).toEqual([b]);
      expect(await enter('a0000', 'large')).toEqual({
        kind: 'closed',
        ahead: 0,
        next: b,
      });
      applicants.set('a0000', { ...nobodys, account: 'a', most: 0 });
      expect(await enter('a0000', 'large')).toMatchObject({ kind: 'in' });
      applicants.set('a0000', { ...nobodys, account: 'a', most: -1 });
      expect(await enter('a0000', 'large')).toMatchObject({ kind: 'in' });
      expect(await enter('a0001', 'large')).toMatchObject({ kind: 'closed' });
      for (const id of ['a0000', 'a0001', b]) await admission.leave(id);
      expect(await redis.dump()).toBe('[]');
    });

    it('counts its runs of all queues', async () => {
      const [other] = await queueUp('a', 1, {
        queue: 'another model',
        most: 1,
      });
      expect(await enter(other, 'large')).toMatchObject({ kind: 'in' });
      applicants.set('a1', { ...nobodys, account: 'a', most: 1 });
      expect(await enter('a1')).toMatchObject({ kind: 'full' });
      expect(await admission.leave(other)).toEqual(['a1']);
    });

    it('admits more once it may have more, and does not count what processes of an earlier release have ended', async () => {
      await queueUp('a', 4, { most: 1 });
      await enter('a0000', 'large');
      expect(await enter('a0001', 'large')).toMatchObject({ kind: 'full' });
      applicants.set('a0001', { ...nobodys, account: 'a', most: 2 });
      expect(await enter('a0001', 'large')).toMatchObject({ kind: 'in' });
      await redis.call('HDEL', 'sonde:{admission}:admitted', 'a0000', 'a0001');
      await redis.call('HDEL', 'sonde:{admission}:counts', 'large');
      expect(await enter('a0002', 'large')).toMatchObject({ kind: 'in' });
      for (const id of ['a0002', 'a0003']) await admission.leave(id);
      expect(await redis.dump()).toBe('[]');
    });
  });

  describe('beside processes of an earlier release, which know one list only', () => {
    it('counts the places that they have given, and forgets who waits no more', async () => {
      const [a] = await queueUp('a', 1);
      const [b] = await queueUp('b', 1);
      await redis.call('ZREM', 'sonde:{admission}:line', a);
      await redis.call('HSET', 'sonde:{admission}:admitted', a, 'one');
      await redis.call('HINCRBY', 'sonde:{admission}:counts', 'one', '1');
      expect(await enter(b, 'one')).toEqual({ kind: 'wait', ahead: 0 });
      const known: string[] = [];
      for await (const ids of admission.everyone()) known.push(...ids);
      expect(new Set(known)).toEqual(new Set([a, b]));
      await redis.call('HDEL', 'sonde:{admission}:admitted', a);
      await redis.call('HDEL', 'sonde:{admission}:counts', 'one');
      expect(await admission.admissible('model', 'one')).toEqual([b]);
      expect(await enter(b, 'one')).toEqual({ kind: 'in' });
      await admission.leave(b);
      expect(await redis.dump()).toBe('[]');
    });

    it('calls the runs that they have accepted, and lists its own for them', async () => {
      await redis.call('ZADD', 'sonde:{admission}:line', '2', 'old');
      expect(await admission.position('old')).toBe(1);
      expect(await admission.admissible('model', 'one')).toEqual(['old']);
      const [other] = await queueUp('0', 1, {
        queue: 'another model',
        rank: 1,
      });
      const [a] = await queueUp('a', 1);
      expect(
        await redis.call('ZRANGE', 'sonde:{admission}:line', '0', '-1'),
      ).toEqual([a, 'old', other]);
      expect(await enter('old', 'one')).toEqual({ kind: 'in' });
      expect(await admission.leave('old')).toEqual([a, other]);
    });
  });
});
