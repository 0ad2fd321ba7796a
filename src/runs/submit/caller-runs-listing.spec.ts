import type { Redis } from 'ioredis';
import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { KEYS } from '../record/run-keys';
import { RunReader } from '../store/run-reader';
import { CallerRunsIndex } from '../store/caller-runs-index';
import { CallerRunsListing, MAX_READ } from './caller-runs-listing';

const ID_LENGTH = 32;
const idOf = (n: number) => `inv_${String(n).padStart(ID_LENGTH, '0')}`;

describe(CallerRunsListing.name, () => {
  let redis: TestRedis;
  let client: Redis;
  let room: Invocations;
  let listing: CallerRunsListing;

  beforeAll(async () => {
    redis = await TestRedis.start();
    client = redis.connect();
  });
  afterAll(async () => {
    client.disconnect();
    await redis.stop();
  });
  beforeEach(async () => {
    await client.flushall();
    room = new Invocations(redis);
    const { connections, config, kinds } = room;
    listing = new CallerRunsListing(
      new CallerRunsIndex(connections, config),
      new RunReader(connections, kinds),
    );
  });
  afterEach(() => room.close());

  /** Those with a higher number are newer. */
  const record = async (n: number, fields: Record<string, string> = {}) => {
    const all = { status: 'completed', tool: 'deep_research', ...fields };
    const id = idOf(n);
    await Promise.all([
      client.hset(KEYS.record(id), all),
      client.zadd(KEYS.caller('alice'), 0, id),
    ]);
  };
  const records = (first: number, end: number, fields = {}) =>
    Promise.all(
      Array.from({ length: end - first }, (_, n) => record(first + n, fields)),
    );
  const page = async (
    query: Partial<Parameters<CallerRunsListing['page']>[1]> = {},
  ) => {
    const found = await listing.page('alice', { limit: 2, ...query });
    return { ids: found.records.map(({ id }) => id), next: found.nextCursor };
  };

  it.each([
    ['kim', [1, 0]],
    ['KIMCHI', [1, 0]],
    ['history of K', [0]],
    ['짜장', [2]],
    ['짜장'.normalize('NFD'), [2]],
    ['É', [3]],
    ['%', []],
    ['.', []],
  ])('finds %s in the questions', async (search, found) => {
    await record(0, { question: 'The history of kimchi' });
    await record(1, { question: 'KIMCHI' });
    await record(2, { question: '짜장면' });
    await record(3, { question: 'Cafe\u0301'.normalize('NFD') });
    await record(4);
    expect(await page({ search })).toEqual({
      ids: found.map(idOf),
      next: null,
    });
  });

  it('finds what only the report has, of runs that have one', async () => {
    await record(0, { question: 'Kimchi' });
    await redis.call('SET', KEYS.text(idOf(0)), 'Cabbage and CHILI');
    await record(1, { question: 'Kimchi', status: 'failed' });
    await redis.call('SET', KEYS.text(idOf(1)), 'chili');
    await record(2, { question: 'Chili' });
    expect(await page({ search: 'chili' })).toEqual({
      ids: [2, 0].map(idOf),
      next: null,
    });
  });

  it('searches a bounded part of the reports for a page, and goes on from there', async () => {
    const one = 'x'.repeat(100_000);
    for (let n = 0; n < 130; n += 1) {
      await record(n);
      await redis.call('SET', KEYS.text(idOf(n)), n === 0 ? 'rare' : one);
    }
    const first = await page({ search: 'rare' });
    expect(first.ids).toEqual([]);
    expect(first.next).toBe(idOf(30));
    expect(await page({ search: 'rare', cursor: first.next! })).toEqual({
      ids: [idOf(0)],
      next: null,
    });
  });

  it('goes on after the last of a page, whatever the filter', async () => {
    for (let n = 0; n < 7; n += 1)
      await record(n, {
        question: n % 2 ? 'odd' : 'even',
        status: n === 2 ? 'failed' : 'completed',
      });
    const even = { search: 'EVEN', status: 'completed' } as const;
    const first = await page(even);
    expect(first).toEqual({ ids: [6, 4].map(idOf), next: idOf(4) });
    const last = await page({ ...even, cursor: first.next! });
    expect(last).toEqual({ ids: [idOf(0)], next: null });
  });

  it('reads a bounded number of records for a page, and goes on from there', async () => {
    await record(0, { question: 'rare' });
    await records(1, MAX_READ + 1, { question: 'x' });
    const first = await page({ search: 'rare' });
    expect(first).toEqual({ ids: [], next: idOf(1) });
    const last = await page({ search: 'rare', cursor: first.next! });
    expect(last).toEqual({ ids: [idOf(0)], next: null });
  });

  it('ends with the last record, also where it reads no further', async () => {
    await records(0, MAX_READ);
    const { next } = await page({ search: 'none' });
    expect(next).toBe(idOf(0));
    expect(await page({ cursor: next! })).toEqual({ ids: [], next: null });
  });

  it('forgets what has expired, and keeps what cannot be read', async () => {
    await record(0);
    await record(1);
    await record(2);
    await client.del(KEYS.record(idOf(1)));
    await client.del(KEYS.record(idOf(2)));
    await client.set(KEYS.record(idOf(2)), '?');
    expect(await page()).toEqual({ ids: [idOf(0)], next: null });
    expect(await client.zrange(KEYS.caller('alice'), '0', '-1')).toEqual([
      idOf(0),
      idOf(2),
    ]);
  });
});
