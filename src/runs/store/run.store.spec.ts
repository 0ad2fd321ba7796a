import { kindsOn } from '../../../test/support/run-kinds';
import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { KEYS } from '../record/run-keys';
import type { LogEvent } from '../record/run-event';
import { RunReader } from './run-reader';
import { type Append, type Claim, RunStore } from './run.store';

describe(RunStore.name, () => {
  const config = loadConfig({ RELAY_MAX_STREAM_BYTES: '20' });
  let redis: TestRedis;
  let connections: RedisConnections;
  let store: RunStore;
  let reader: RunReader;
  let id: string;
  let count = 0;

  beforeAll(async () => {
    redis = await TestRedis.start();
    connections = new RedisConnections(
      loadConfig({ REDIS_URL: redis.url }).redis!,
      'wait',
    );
    const { kinds } = kindsOn(connections);
    store = new RunStore(connections, config);
    reader = new RunReader(connections, kinds);
  });

  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  beforeEach(async () => {
    id = `inv_${(count += 1)}`;
    await store.create(id, {
      tool: 'deep_research',
      mode: 'background',
      args: '{}',
      tokens: 'hash',
    });
  });

  const claim = async (worker = 'one'): Promise<Claim> => {
    const outcome = await store.claim(id, worker, 60_000);
    if (outcome.kind !== 'claimed')
      throw new Error(`not claimed: ${outcome.kind}`);
    return outcome.claim;
  };
  const log = () => reader.readLog(id, 0, 1_000);
  const types = (events: LogEvent[]) =>
    events.map(({ seq, type, status }) => `${seq} ${type} ${status}`);
  /** What waiting for the lease to run out comes to, without the waiting. */
  const loseLease = () =>
    connections.commands.hset(`sonde:{${id}}:record`, 'lease_ms', 1);

  it('creates a record once', async () => {
    expect(await store.create(id, { tool: 'other' })).toBeUndefined();
    expect((await reader.read(id))?.tool).toBe('deep_research');
  });

  it('writes status and event in one step, with numbers that have no gap', async () => {
    const { fence } = await claim();
    await store.append(id, fence, 2, {
      events: [{ type: 'output_text', data: { text: 'abc' } }],
      text: 'abc',
    });
    await store.finish(id, fence, { status: 'completed' });
    expect(types(await log())).toEqual([
      '1 status queued',
      '2 status running',
      '3 output_text running',
      '4 status completed',
      '5 completed completed',
    ]);
    expect(await reader.read(id)).toMatchObject({
      status: 'completed',
      text: 'abc',
      seq: 5,
    });
  });

  it('refuses a second claim while the first one is alive, and tells how long to wait', async () => {
    await claim();
    expect(await store.claim(id, 'two', 60_000)).toEqual({
      kind: 'held',
      forMs: expect.any(Number),
    });
  });

  it('lets another worker take over when the lease has run out, and counts the crash', async () => {
    const first = await claim();
    await loseLease();
    const second = await claim('two');
    expect(second.crashes).toBe(1);
    expect(second.fence).not.toBe(first.fence);
    expect(types(await log())).toEqual(['1 status queued', '2 status running']);
  });

  it('counts no crash when a run was handed back', async () => {
    const { fence } = await claim();
    await store.release(id, fence);
    expect((await claim('two')).crashes).toBe(0);
  });

  it('counts an attempt for each beginning, loss and restart, and none for a wait', async () => {
    const begun = async () => {
      const { begins, fence, fields } = await claim();
      return [begins, fence, fields.attempts, fields.takeovers];
    };
    expect(await begun()).toEqual([true, '1', '1', undefined]);
    await store.release(id, '1', 0, 'survived');
    expect(await begun()).toEqual([false, '2', '1', undefined]);
    await loseLease();
    expect(await begun()).toEqual([true, '3', '2', '1']);
    await store.release(id, '3', 0, 'pauses');
    expect(await begun()).toEqual([false, '4', '2', '1']);
    await store.release(id, '4');
    expect(await begun()).toEqual([true, '5', '3', '1']);
  });

  it.each<[string, Append, number]>([
    [
      'text',
      { text: 'x', events: [{ type: 'output_text', data: { text: 'x' } }] },
      1,
    ],
    [
      'a step',
      {
        events: [
          { type: 'progress', data: { kind: 'web_search', detail: '' } },
        ],
      },
      1,
    ],
    [
      'that it waits',
      { events: [{ type: 'progress', data: { kind: 'waiting', detail: '' } }] },
      2,
    ],
    ['an attempt', { entries: { 'a#1': '{}' } }, 2],
  ])(
    'counts the crashes since the last progress, and in all: %s',
    async (_, written, crashes) => {
      await claim();
      await loseLease();
      const { fence } = await claim();
      await store.append(id, fence, 2, written);
      await loseLease();
      expect(await claim()).toMatchObject({ crashes, crashesInAll: 2 });
    },
  );

  it('counts a crash after a long time as the first', async () => {
    await claim();
    await loseLease();
    await claim();
    const minute = 60_000 + config.runs.leaseMs;
    const { commands } = connections;
    const begun = Number(
      await commands.hget(`sonde:{${id}}:record`, 'claimed_ms'),
    );
    await commands.hset(
      `sonde:{${id}}:record`,
      'claimed_ms',
      begun - 2 * minute,
    );
    await commands.hset(`sonde:{${id}}:record`, 'lease_ms', begun - 1);
    expect(await claim()).toMatchObject({ crashes: 1, crashesInAll: 2 });
  });

  it('does not count a lease that was lost without Redis, once its worker is back', async () => {
    const { fence } = await claim();
    await loseLease();
    await claim('two');
    await store.uncountCrash(id, fence);
    await store.uncountCrash(id, fence);
    await loseLease();
    expect(await claim('three')).toMatchObject({ crashes: 1, crashesInAll: 1 });
  });

  it('refuses every late write of a worker that was taken over from', async () => {
    const { fence } = await claim();
    await loseLease();
    await claim('two');
    expect(await store.append(id, fence, 2, { text: 'late' })).toBe('fenced');
    expect(await store.heartbeat(id, fence)).toBeUndefined();
    expect(await store.finish(id, fence, { status: 'completed' })).toBe(
      'fenced',
    );
    expect(await log()).toHaveLength(2);
  });

  it('applies a write that is sent twice once', async () => {
    const { fence } = await claim();
    const write = {
      events: [{ type: 'output_text' as const, data: { text: 'x' } }],
      text: 'x',
    };
    expect(await store.append(id, fence, 2, write)).toBe(3);
    expect(await store.append(id, fence, 2, write)).toBe(3);
    expect(await reader.readText(id)).toBe('x');
    expect(await log()).toHaveLength(3);
  });

  it('refuses output over the limit and writes nothing of it', async () => {
    const { fence } = await claim();
    const text = '가'.repeat(7);
    const write = {
      events: [{ type: 'output_text' as const, data: { text } }],
      text,
    };
    expect(await store.append(id, fence, 2, write)).toBe('too_large');
    expect(await log()).toHaveLength(2);
  });

  describe('a log that grows without bound', () => {
    const progress = {
      type: 'progress' as const,
      data: { kind: 'reasoning' as const, detail: 'x'.repeat(400) },
    };

    it('is thinned of its progress, and keeps everything else', async () => {
      const { fence } = await claim();
      let seq = 2;
      for (let n = 0; n < 10; n += 1) {
        const events = Array.from({ length: 100 }, () => progress);
        seq = (await store.append(id, fence, seq, { events })) as number;
      }
      const stored = (await log()).length;
      expect(stored).toBeGreaterThan(100);
      expect(stored).toBeLessThan(300);
      expect(seq).toBe(stored);
      const text = { type: 'output_text' as const, data: { text: 'x' } };
      const fields = { progress: '{"searches":1}' };
      const events = [progress, text];
      expect(
        await store.append(id, fence, seq, { events, text: 'x', fields }),
      ).toBe(seq + 1);
      expect(types(await log()).at(-1)).toBe(`${seq + 1} output_text running`);
      expect((await reader.read(id))?.progress?.searches).toBe(1);
    });

    it('gets one event of progress again after a while', async () => {
      const { fence } = await claim();
      const events = Array.from({ length: 1_000 }, () => progress);
      const seq = (await store.append(id, fence, 2, { events })) as number;
      expect(seq).toBeLessThan(300);
      await connections.commands.hset(KEYS.record(id), { progress_ms: 1 });
      expect(
        await store.append(id, fence, seq, { events: [progress, progress] }),
      ).toBe(seq + 1);
    });

    it('is refused when text in the smallest pieces has filled it', async () => {
      const { fence } = await claim();
      const delta = { type: 'delta' as const, data: { contents: [] } };
      const events = Array.from({ length: 2_500 }, () => delta);
      let seq: unknown = 2;
      let writes = 0;
      while (typeof seq === 'number' && writes < 100) {
        seq = await store.append(id, fence, seq, { events });
        writes += 1;
      }
      expect(seq).toBe('too_large');
      // 32 times 100,000 bytes, of which each event takes more than 100.
      expect(writes).toBeLessThan(14);
    });
  });

  it('never leaves a final status', async () => {
    const { fence } = await claim();
    await store.finish(id, fence, {
      status: 'failed',
      error: { code: 'upstream_failed', message: 'm' },
    });
    expect(await store.finish(id, fence, { status: 'completed' })).toBe(
      'final',
    );
    expect(await store.cancel(id, { remove: false })).toBe('final');
    expect(await store.claim(id, 'two', 60_000)).toEqual({ kind: 'final' });
    expect(await log()).toHaveLength(4);
    expect((await reader.read(id))?.status).toBe('failed');
  });

  it('ends a queued invocation at once when it is cancelled', async () => {
    expect(await store.cancel(id, { remove: false })).toBe('cancelled');
    expect(types(await log()).slice(1)).toEqual([
      '2 status cancelled',
      '3 error cancelled',
    ]);
  });

  it('tells the worker of a running one through its heartbeat', async () => {
    const { fence } = await claim();
    const beat = () => store.heartbeat(id, fence);
    expect(await beat()).toMatchObject({ cancelled: false });
    expect(await store.cancel(id, { remove: false })).toBe('requested');
    expect(await beat()).toMatchObject({ cancelled: true });
  });

  it('reports that no worker holds the running one that is to end', async () => {
    const { fence } = await claim();
    await store.release(id, fence, 60_000);
    expect(await store.cancel(id, { remove: false })).toBe('unheld');
  });

  it('tells whoever runs it, now or later, that somebody reads along', async () => {
    expect(await store.follow(id, 60_000)).toEqual({
      kind: 'waiting',
      tool: 'deep_research',
    });
    const { fence, followedMs } = await claim();
    expect(followedMs).toBeGreaterThan(0);
    expect(await store.follow(id, 60_000)).toMatchObject({ kind: 'held' });
    await store.finish(id, fence, { status: 'completed' });
    expect(await store.follow(id, 60_000)).toBeUndefined();
    expect(await store.follow('inv_unknown', 60_000)).toBeUndefined();
  });

  it('counts one that was put off as taken care of until it is due', async () => {
    const { fence } = await claim();
    await store.release(id, fence, 60_000);
    expect(await reader.states([id])).toEqual([{ kind: 'held' }]);
  });

  it('hides a running record that was removed, and forgets it when its run has ended', async () => {
    const { fence } = await claim();
    expect(await store.cancel(id, { remove: true })).toBe('requested');
    expect(await reader.read(id)).toBeUndefined();
    const finish = () =>
      store.finish(id, fence, {
        status: 'cancelled',
        error: { code: 'cancelled', message: 'm' },
      });
    // Not before what is kept on its account.
    expect(await finish()).toBe('deleted');
    await store.purged(id);
    expect(await finish()).toBe('ok');
    expect(await redis.dump(`*{${id}}*`)).toBe(
      JSON.stringify([[`sonde:{${id}}:record`, { deleted: '1' }]]),
    );
  });

  it('leaves what a removed run is counted and billed by until it is settled, and nothing afterwards', async () => {
    const { commands } = connections;
    const record = `sonde:{${id}}:record`;
    const bill = { account: '@alice', cost: '{"spent":1}' };
    await commands.hset(record, bill);
    await store.cancel(id, { remove: true });
    expect(await commands.hgetall(record)).toEqual({ deleted: '1', ...bill });
    await store.settled(id);
    expect(await commands.hgetall(record)).toEqual({ deleted: '1' });
  });

  it('is not changed by being settled', async () => {
    const before = await redis.dump();
    await store.settled(id);
    expect(await redis.dump()).toBe(before);
  });

  it('creates nothing again that was deleted, for whoever is late with the same submission', async () => {
    await store.cancel(id, { remove: true });
    expect(await store.create(id, { tool: 'deep_research' })).toBeUndefined();
    await store.addToken(id, 'hash');
    expect(await reader.read(id)).toBeUndefined();
    expect(await reader.states([id])).toEqual([{ kind: 'ended' }]);
    const left = await connections.commands.pttl(`sonde:{${id}}:record`);
    expect(left).toBeGreaterThan(0);
  });

  it('forgets a final record after the retention, log, text and journal included', async () => {
    const { fence } = await claim();
    await store.append(id, fence, 2, { text: 'x', entries: { a: '1' } });
    await store.finish(id, fence, { status: 'completed' });
    for (const key of await connections.commands.keys(`*{${id}}*`)) {
      expect(await connections.commands.pttl(key)).toBeGreaterThan(0);
    }
  });
});
