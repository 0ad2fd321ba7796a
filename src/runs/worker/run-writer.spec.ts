import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import type { Append } from '../store/run.store';
import { RunLost, RunWriter } from './run-writer';

const ID = 'inv_1';
const appendOf = (text: string): Append => ({
  events: [{ type: 'output_text', data: { text } }],
  text,
  fields: { last: text },
});

describe(RunWriter.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let stop: AbortController;

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    room = new Invocations(redis);
    stop = new AbortController();
    await room.create(ID, 'it');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await room.close();
  });

  const open = async (signal: AbortSignal | null = stop.signal) => {
    const outcome = await room.store.claim(ID, 'worker', 60_000);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    return new RunWriter(room.store, outcome.claim, signal ?? undefined);
  };
  const texts = async () => {
    const events = await room.reader.readLog(ID, 0, 100);
    return events
      .filter(({ type }) => type === 'output_text')
      .map(({ data }) => (JSON.parse(data) as { text: string }).text);
  };
  /** Redis takes the next write, but is gone before it can say so; or takes none. */
  const failWrite = (taken: boolean) => {
    const append = room.store.append.bind(room.store);
    jest.spyOn(room.store, 'append').mockImplementationOnce(async (...args) => {
      if (taken) await append(...args);
      throw new Error('Connection is closed.');
    });
  };

  it('refuses text without an event of its own, which a repetition would add twice', async () => {
    const writer = await open();
    const progress = {
      type: 'progress' as const,
      data: { kind: 'tool' as const, detail: 'x' },
    };
    for (const events of [[], [progress]])
      expect(() => writer.append({ events, text: 'x' })).toThrow(TypeError);
  });

  it('writes in the order in which it was asked to, without being waited for', async () => {
    const writer = await open();
    const numbers = Array.from({ length: 20 }, (_, n) => String(n));
    await Promise.all(numbers.map((n) => writer.append(appendOf(n))));
    expect(await texts()).toEqual(numbers);
    expect(await room.reader.readText(ID)).toBe(numbers.join(''));
  });

  it.each([
    ['was taken', true],
    ['was not', false],
  ])('writes once what %s when Redis went away', async (_, taken) => {
    const writer = await open();
    failWrite(taken);
    const first = writer.append(appendOf('a'));
    const second = writer.append(appendOf('b'));
    await Promise.all([first, second]);
    expect(await texts()).toEqual(['a', 'b']);
    expect(await room.reader.readText(ID)).toBe('ab');
  });

  it('throws an outage at once where it is not to wait for Redis', async () => {
    const writer = await open(null);
    failWrite(false);
    await expect(writer.append(appendOf('a'))).rejects.toThrow('closed');
    await writer.append(appendOf('b'));
    expect(await texts()).toEqual(['b']);
  });

  it('waits for Redis no longer than its run goes on', async () => {
    const writer = await open();
    failWrite(false);
    const written = writer.append(appendOf('a'));
    stop.abort();
    await expect(written).rejects.toMatchObject({ name: 'AbortError' });
    expect(await texts()).toEqual([]);
  });

  it('throws what is no outage, and goes on with what comes after it', async () => {
    const writer = await open();
    jest.spyOn(room.store, 'append').mockRejectedValueOnce(new Error('ERR'));
    const first = writer.append(appendOf('a'));
    const second = writer.append(appendOf('b'));
    await expect(first).rejects.toThrow('ERR');
    await second;
    expect(await texts()).toEqual(['b']);
  });

  it('refuses to write for a run that is lost or has ended', async () => {
    const writer = await open();
    await redis.call('HSET', `sonde:{${ID}}:record`, 'lease_ms', '0');
    const next = await open();
    await expect(writer.append(appendOf('a'))).rejects.toBeInstanceOf(RunLost);
    await room.store.finish(ID, next.fence, { status: 'completed' });
    await expect(next.append(appendOf('a'))).rejects.toBeInstanceOf(RunLost);
    expect(await texts()).toEqual([]);
  });
});
