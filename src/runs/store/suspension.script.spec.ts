import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { Suspension } from '../record/suspension';
import type { Claim } from './run.store';

const HOUR = 3_600_000;
const LIMIT_MS = 60_000;
const ID = 'inv_1';
const RECORD = `sonde:{${ID}}:record`;

describe('a record that waits for a human', () => {
  let redis: TestRedis;
  let room: Invocations;

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    room = new Invocations(redis);
    await room.create(ID, 'chat');
  });
  afterEach(() => room.close());

  const claim = async (worker = 'one'): Promise<Claim> => {
    const outcome = await room.store.claim(ID, worker, LIMIT_MS);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    return outcome.claim;
  };
  const question = (...keys: string[]) =>
    new Suspension(keys, { asks: keys }, { turn: '2' });
  /** Claimed, and put to rest. */
  const wait = async (...keys: string[]): Promise<Claim> => {
    const claimed = await claim();
    await room.store.await(ID, claimed.fence, question(...keys));
    return claimed;
  };
  const decide = (decisions: Record<string, string>) =>
    room.store.decide(ID, decisions);
  const field = (name: string) =>
    redis.call('HGET', RECORD, name) as Promise<string | null>;
  const status = async () => (await room.reader.read(ID))?.status;
  const log = async () =>
    (await room.reader.readLog(ID, 0, 100)).map(
      ({ type, status: at }) => `${type} ${at}`,
    );
  const ttls = async () => {
    const keys = await room.connections.commands.keys(`*{${ID}}*`);
    expect(keys.length).toBeGreaterThan(1);
    return Promise.all(keys.map((key) => redis.call('PTTL', key)));
  };
  /** What waiting that long comes to, without the waiting. */
  const passWaiting = (ms: number) =>
    redis.call('HINCRBY', RECORD, 'waiting_since_ms', String(-ms));

  const BEGUN = ['status queued', 'status running'];
  const ASKED = ['status requires_action', 'requires_action requires_action'];

  it('has no lease, names what it waits for, and expires', async () => {
    const { fence } = await claim();
    await room.store.append(ID, fence, 2, { text: 'so far' });
    expect(await room.store.await(ID, fence, question('a', 'b'))).toBe('ok');
    expect(await log()).toEqual([...BEGUN, ...ASKED]);
    const last = await room.reader.readLast(ID);
    expect(last?.data).toBe('{"asks":["a","b"]}');
    expect(await field('worker')).toBe('');
    expect(await field('undecided')).toBe('["a","b"]');
    expect(await field('turn')).toBe('2');
    const { retentionMs } = room.config.runs;
    const now = Number(((await redis.call('TIME')) as string[])[0]) * 1000;
    const expires = Number(await field('expires_ms'));
    expect(expires - now).toBeGreaterThan(retentionMs - HOUR / 60);
    expect(await ttls()).toHaveLength(3);
    for (const ttl of await ttls()) {
      expect(ttl).toBeGreaterThan(retentionMs - HOUR / 60);
      expect(ttl).toBeLessThanOrEqual(retentionMs);
    }
  });

  it('is neither claimed nor written to by the worker that it had', async () => {
    const { fence } = await wait('a');
    const before = await redis.dump(RECORD);
    expect(await room.store.claim(ID, 'two', LIMIT_MS)).toEqual({
      kind: 'waiting',
    });
    expect(await room.store.heartbeat(ID, fence)).toBeUndefined();
    expect(await room.store.append(ID, fence, 4, { text: 'late' })).toBe(
      'fenced',
    );
    expect(await room.store.finish(ID, fence, { status: 'completed' })).toBe(
      'fenced',
    );
    await room.store.release(ID, fence, HOUR);
    expect(await redis.dump(RECORD)).toBe(before);
  });

  it('goes on when nothing is left to decide, and what was decided is there', async () => {
    await wait('a', 'b');
    expect(await decide({ b: 'no' })).toEqual({ kind: 'ok', left: 1 });
    expect(await field('undecided')).toBe('["a"]');
    expect(await status()).toBe('requires_action');
    expect(await decide({ a: 'yes' })).toEqual({ kind: 'ok', left: 0 });
    expect(await log()).toEqual([...BEGUN, ...ASKED, 'status queued']);
    expect(await field('expires_ms')).toBe('');
    expect(await ttls()).toEqual([-1, -1]);
    const { fields, crashes } = await claim('two');
    expect(fields).toMatchObject({
      'decision:a': 'yes',
      'decision:b': 'no',
      turn: '2',
    });
    expect(crashes).toBe(0);
    expect((await log()).at(-1)).toBe('status running');
  });

  it('does not lose the time that it waits', async () => {
    const { remainingMs } = await wait('a');
    const begun = await field('started_ms');
    await passWaiting(5 * HOUR);
    await decide({ a: 'yes' });
    const again = await claim('two');
    expect(again.remainingMs).toBeGreaterThan(remainingMs + 4 * HOUR);
    expect(await field('started_ms')).toBe(begun);
  });

  it('has all its time before it if it waits before it is begun', async () => {
    expect(await room.store.await(ID, undefined, question('a'))).toBe('ok');
    await passWaiting(5 * HOUR);
    await decide({ a: 'yes' });
    expect(await room.store.await(ID, undefined, question('a'))).toBe('queued');
    expect((await claim()).remainingMs).toBe(LIMIT_MS);
    expect(await log()).toEqual([
      'status queued',
      ...ASKED,
      'status queued',
      'status running',
    ]);
  });

  it('is not put to rest by others than its worker', async () => {
    const { fence } = await claim();
    const ask = (by?: string) => room.store.await(ID, by, question('a'));
    expect(await ask()).toBe('held');
    expect(await ask('7')).toBe('fenced');
    await room.store.release(ID, fence);
    expect(await ask()).toBe('held');
    const second = await claim('two');
    expect(await ask(fence)).toBe('fenced');
    await room.store.release(ID, second.fence);
    await room.end(ID);
    expect(await ask(fence)).toBe('final');
    expect(await room.store.await('inv_none', '', question('a'))).toBe(
      'missing',
    );
    expect(await log()).toEqual([...BEGUN, 'status failed', 'error failed']);
  });

  it('applies the same wait once, whatever has come of it since', async () => {
    const { fence } = await wait('a');
    const again = () => room.store.await(ID, fence, question('a'));
    expect(await again()).toBe('ok');
    await decide({ a: 'yes' });
    expect(await again()).toBe('queued');
    expect(await log()).toHaveLength(5);
    await claim('two');
    expect(await again()).toBe('fenced');
  });

  it.each([
    ['nothing', []],
    ['only what was decided before', ['a']],
  ])('goes on at once if it waits for %s', async (_, keys) => {
    await wait('a');
    await decide({ a: 'yes' });
    const { fence } = await claim('two');
    expect(await room.store.await(ID, fence, question(...keys))).toBe('queued');
    expect(await status()).toBe('queued');
    expect(await ttls()).toEqual([-1, -1]);
    expect((await log()).slice(-3)).toEqual([...ASKED, 'status queued']);
  });

  it('waits a second time, and still knows what was decided before', async () => {
    await wait('a');
    await decide({ a: 'yes' });
    const { fence } = await claim('two');
    await room.store.await(ID, fence, question('b'));
    const refused = (kind: string, key: string) => ({ kind, key });
    expect(await decide({ a: 'yes', c: '1' })).toEqual(refused('unknown', 'c'));
    expect(await decide({ a: 'no' })).toEqual(refused('conflict', 'a'));
    expect(await decide({ a: 'yes' })).toEqual({ kind: 'ok', left: 1 });
    expect(await decide({ b: 'yes' })).toEqual({ kind: 'ok', left: 0 });
  });

  describe('decided', () => {
    it('twice alike is decided once', async () => {
      await wait('a', 'b');
      await decide({ a: 'yes' });
      expect(await decide({ a: 'yes' })).toEqual({ kind: 'ok', left: 1 });
      expect(await log()).toHaveLength(4);
    });

    it('otherwise a second time keeps the first, and takes nothing else', async () => {
      await wait('a', 'b');
      await decide({ a: 'yes' });
      expect(await decide({ b: 'yes', a: 'no' })).toEqual({
        kind: 'conflict',
        key: 'a',
      });
      expect(await field('decision:a')).toBe('yes');
      expect(await field('decision:b')).toBeNull();
      expect(await status()).toBe('requires_action');
    });

    it('by a key that it does not wait for changes nothing', async () => {
      await wait('a');
      expect(await decide({ a: 'yes', x: 'yes' })).toEqual({
        kind: 'unknown',
        key: 'x',
      });
      expect(await field('decision:a')).toBeNull();
    });

    it('from two processes at once goes on once', async () => {
      await wait('a', 'b');
      const elsewhere = new Invocations(redis);
      const outcomes = await Promise.all([
        decide({ a: 'yes' }),
        elsewhere.store.decide(ID, { b: 'no' }),
        elsewhere.store.decide(ID, { a: 'yes' }),
      ]);
      await elsewhere.close();
      const left = outcomes.map((of) => (of.kind === 'ok' ? of.left : of.kind));
      expect(left.filter((of) => of === 0)).toHaveLength(1);
      expect(await log()).toEqual([...BEGUN, ...ASKED, 'status queued']);
    });

    it('while it does not wait is not noted', async () => {
      const ended = async () => {
        await room.end(ID);
        return decide({ a: 'yes' });
      };
      expect(await decide({ a: 'yes' })).toEqual({ kind: 'not_waiting' });
      await wait('a');
      await decide({ a: 'yes' });
      expect(await decide({ a: 'no' })).toEqual({ kind: 'not_waiting' });
      expect(await ended()).toEqual({ kind: 'final' });
      expect(await room.store.decide('inv_none', {})).toEqual({
        kind: 'missing',
      });
      expect(await field('decision:a')).toBe('yes');
    });
  });

  describe('and is cancelled', () => {
    it('ends at once', async () => {
      await wait('a');
      expect(await room.store.cancel(ID, { remove: false })).toBe('cancelled');
      expect(await log()).toEqual([
        ...BEGUN,
        ...ASKED,
        'status cancelled',
        'error cancelled',
      ]);
      expect(await decide({ a: 'yes' })).toEqual({ kind: 'final' });
    });

    it('is forgotten at once if it is removed', async () => {
      await wait('a');
      expect(await room.store.cancel(ID, { remove: true })).toBe('cancelled');
      expect(await redis.hasForgotten(ID)).toBe(true);
    });

    it.each([
      ['cancelled', false],
      ['forgotten', true],
    ])(
      'is %s instead of waiting if that was asked for before',
      async (_, remove) => {
        const { fence } = await claim();
        await room.store.cancel(ID, { remove });
        const wait = () => room.store.await(ID, fence, question('a'));
        // Not before what is kept on its account.
        if (remove) expect(await wait()).toBe('deleted');
        await room.store.purged(ID);
        expect(await wait()).toBe('cancelled');
        expect(await redis.hasForgotten(ID)).toBe(remove);
        if (remove) return;
        expect(await log()).toEqual([
          ...BEGUN,
          'status cancelled',
          'error cancelled',
        ]);
        expect((await room.reader.read(ID))?.error?.code).toBe('cancelled');
      },
    );
  });

  it('can be ended without a worker, but not as completed', async () => {
    await wait('a');
    await room.store.finish(ID, undefined, { status: 'completed' });
    expect(await status()).toBe('requires_action');
    await room.end(ID);
    expect(await status()).toBe('failed');
  });
});
