import { kindsOn } from '../../../test/support/run-kinds';
import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { MAX_JOURNAL_BYTES } from '../store/append.script';
import { JOURNAL_SCHEMA, KEYS, RECORD_SCHEMA } from './run-keys';
import { RunReader } from '../store/run-reader';
import { type Claim, RunStore } from '../store/run.store';

const LIMIT_MS = 60_000;
const RETENTION_MS = 100_000;

describe('the journal of a record', () => {
  const config = loadConfig({
    RELAY_RETENTION_SECONDS: String(RETENTION_MS / 1000),
  });
  let redis: TestRedis;
  let connections: RedisConnections;
  let store: RunStore;
  let reader: RunReader;
  let id: string;
  let claim: Claim;
  let count = 0;

  beforeAll(async () => {
    redis = await TestRedis.start();
    const own = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(own.redis!, 'wait');
    store = new RunStore(connections, config);
    reader = new RunReader(connections, kindsOn(connections).kinds);
  });
  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });
  beforeEach(async () => {
    id = `inv_${(count += 1)}`;
    const schema = String(JOURNAL_SCHEMA);
    await store.create(id, { tool: 'deep_research', schema, args: '{}' });
    claim = await claimAs('one');
  });

  const claimAs = async (worker: string): Promise<Claim> => {
    const outcome = await store.claim(id, worker, LIMIT_MS);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    return outcome.claim;
  };
  const write = (entries: Record<string, string>, seq = 2) =>
    store.append(id, claim.fence, seq, { entries });
  const journal = () => connections.commands.hgetall(KEYS.journal(id));
  const bytes = async () => Number((await reader.readFields(id)).journal_bytes);
  const ttl = () => connections.commands.pttl(KEYS.journal(id));

  it('is written in one step with events, text and fields', async () => {
    const append = {
      events: [{ type: 'output_text' as const, data: { text: 'x' } }],
      text: 'x',
      fields: { usage: '{}' },
      entries: { 'a#1': '1', a: '2' },
    };
    expect(await store.append(id, claim.fence, 2, append)).toBe(3);
    expect(await journal()).toEqual({ 'a#1': '1', a: '2' });
    expect(await store.append(id, claim.fence, 2, append)).toBe(3);
    expect(await reader.readText(id)).toBe('x');
    expect(await reader.readLog(id, 2, 10)).toHaveLength(1);
  });

  it('is the same and of the same size after a repetition without events', async () => {
    expect(await write({ 'a#1': 'begun' })).toBe(2);
    const size = await bytes();
    expect(await write({ 'a#1': 'begun' })).toBe(2);
    expect(await bytes()).toBe(size);
    expect(size).toBe('a#1'.length + 'begun'.length);
  });

  it('is not written by a worker that was taken over from', async () => {
    await store.release(id, claim.fence);
    await claimAs('two');
    expect(await write({ a: '1' })).toBe('fenced');
    expect(await journal()).toEqual({});
  });

  it('expires by itself after the time limit and the retention', async () => {
    await write({ a: '1' });
    expect(await ttl()).toBeGreaterThan(RETENTION_MS);
    expect(await ttl()).toBeLessThanOrEqual(LIMIT_MS + RETENTION_MS);
  });

  it('expires with the record once the run has ended', async () => {
    await write({ a: '1' });
    await store.finish(id, claim.fence, { status: 'completed' });
    expect(await ttl()).toBeGreaterThan(0);
    expect(await ttl()).toBeLessThanOrEqual(RETENTION_MS);
  });

  it('has an expiry after a decision too', async () => {
    await write({ a: '1' });
    await store.await(id, claim.fence, { keys: ['k'], data: {}, fields: {} });
    expect(await store.decide(id, { k: 'yes' })).toMatchObject({ kind: 'ok' });
    expect(await ttl()).toBeGreaterThan(RETENTION_MS);
  });

  it('is deleted with the record', async () => {
    await write({ a: '1' });
    await store.finish(id, claim.fence, { status: 'completed' });
    await store.cancel(id, { remove: true });
    expect(await journal()).toEqual({});
  });

  it('is bounded, and a write over its limit writes nothing', async () => {
    const half = 'x'.repeat(MAX_JOURNAL_BYTES / 2);
    expect(await write({ a: half })).toBe(2);
    const events = [{ type: 'output_text' as const, data: { text: 'x' } }];
    const append = { events, text: 'x', entries: { b: half } };
    expect(await store.append(id, claim.fence, 2, append)).toBe(
      'journal_too_large',
    );
    expect(await reader.readText(id)).toBe('');
    expect(Object.keys(await journal())).toEqual(['a']);
    // What replaces an entry counts once.
    expect(await write({ a: half })).toBe(2);
  });

  it('gives its record a schema of its own, which others do not have', async () => {
    await store.create(`${id}_plain`, { tool: 'deep_research' });
    const { schema } = await reader.readFields(`${id}_plain`);
    expect(schema).toBe('1');
    expect((await reader.readFields(id)).schema).toBe(String(JOURNAL_SCHEMA));
    expect(JOURNAL_SCHEMA).toBeLessThanOrEqual(RECORD_SCHEMA);
  });
});
