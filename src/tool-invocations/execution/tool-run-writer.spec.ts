import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { until } from '../../../test/support/until';
import { RunLost } from '../../runs/worker/run-writer';
import { ToolRunWriter } from './tool-run-writer';

const text = (value: string) => [{ type: 'text' as const, text: value }];

describe(ToolRunWriter.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let stop: AbortController;

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('CONFIG', 'SET', 'maxmemory', '0');
    await redis.call('FLUSHALL');
    room = new Invocations(redis);
    stop = new AbortController();
    await room.create('inv_1', 'it');
  });
  afterEach(() => room.close());

  const open = async () => {
    const outcome = await room.store.claim('inv_1', 'worker', 60_000);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    const { claim } = outcome;
    const journal = new ToolRunWriter(room.store, claim, 'tool', stop.signal);
    return { claim, journal };
  };
  const log = (type: string) =>
    room.reader
      .readLog('inv_1', 0, 10_000)
      .then((events) => events.filter((event) => event.type === type))
      .then((events) =>
        events.map(({ data }) => JSON.parse(data) as Record<string, unknown>),
      );
  const progressOf = (detail: string) =>
    until(`the progress ${detail}`, async (saw) =>
      saw(await log('progress')).some((data) => data.detail === detail),
    );

  it('tells how far it is, and keeps the last of it on record', async () => {
    const { journal } = await open();
    journal.progress('page 1', { progress: 1, total: 3 });
    await progressOf('page 1');
    expect(await log('progress')).toEqual([
      { kind: 'tool', detail: 'page 1', progress: 1, total: 3 },
    ]);
    const { progress } = (await room.reader.read('inv_1'))!;
    expect(progress).toEqual({
      searches: 0,
      pages_opened: 0,
      last_step: 'page 1',
    });
  });

  it('writes a few events of a hundred thousand, the last word among them, and the whole result', async () => {
    const { claim, journal } = await open();
    const begun = performance.now();
    for (let n = 1; n <= 100_000; n += 1) {
      journal.progress(`${n}`, { progress: n });
      if (n % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await progressOf('100000');
    await journal.result(text('whole'));
    await room.store.finish('inv_1', claim.fence, { status: 'completed' });
    const fifths = (performance.now() - begun) / 200;
    expect((await log('progress')).length).toBeLessThan(3 + fifths);
    expect(await log('output_text')).toEqual([{ text: 'whole' }]);
    expect(await room.reader.read('inv_1')).toMatchObject({
      status: 'completed',
      text: 'whole',
      contents: text('whole'),
    });
  });

  it('cuts short what is too long, and leaves out numbers that are none', async () => {
    const { journal } = await open();
    journal.progress(`${'x'.repeat(499)}\u{1f600}`, {
      progress: NaN,
      total: Infinity,
    });
    const cut = `${'x'.repeat(499)}\ufffd`;
    await progressOf(cut);
    expect(await log('progress')).toEqual([{ kind: 'tool', detail: cut }]);
  });

  it('tells nothing after the result', async () => {
    const { journal } = await open();
    await journal.result(text('done'));
    journal.progress('still at it');
    await journal.result(text(''));
    expect(await log('progress')).toEqual([]);
  });

  it('writes the result after the progress that was under way', async () => {
    const { journal } = await open();
    journal.progress('almost');
    await journal.result(text('done'));
    const types = (await room.reader.readLog('inv_1', 0, 100)).map(
      ({ type }) => type,
    );
    expect(types.at(-1)).toBe('output_text');
    expect(types.filter((type) => type === 'output_text')).toHaveLength(1);
  });

  it('keeps a result without any text', async () => {
    const { journal } = await open();
    const image = { type: 'image' as const, image: { url: 'https://a.b/c' } };
    await journal.result([image]);
    expect(await log('output_text')).toEqual([]);
    expect((await room.reader.read('inv_1'))!.contents).toEqual([image]);
  });

  it('says what it could not write: too much, or for somebody else', async () => {
    const { journal } = await open();
    await expect(
      journal.result(text('x'.repeat(1_000_001))),
    ).rejects.toMatchObject({ code: 'output_too_large' });
    await redis.call('HSET', 'sonde:{inv_1}:record', 'lease_ms', '1');
    const { journal: later } = await open();
    await expect(journal.result(text('late'))).rejects.toBeInstanceOf(RunLost);
    await later.result(text('mine'));
    expect(await log('output_text')).toEqual([{ text: 'mine' }]);
  });

  it('holds a result until Redis takes it', async () => {
    const { journal } = await open();
    await redis.call('CONFIG', 'SET', 'maxmemory', '1');
    const written = journal.result(text('patient'));
    const refused = /errorstat_OOM:count=([1-9]\d*)/;
    await until('Redis to refuse the result', async (saw) =>
      refused.test(saw(String(await redis.call('INFO', 'errorstats')))),
    );
    await redis.call('CONFIG', 'SET', 'maxmemory', '0');
    await written;
    expect(await log('output_text')).toEqual([{ text: 'patient' }]);
  });

  it('stops waiting for Redis when the run has to stop', async () => {
    const { journal } = await open();
    await redis.call('CONFIG', 'SET', 'maxmemory', '1');
    const written = journal.result(text('patient'));
    stop.abort('shutdown');
    await expect(written).rejects.toMatchObject({ name: 'AbortError' });
    await redis.call('CONFIG', 'SET', 'maxmemory', '0');
  });
});
