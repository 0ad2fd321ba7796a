import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { until } from '../../../test/support/until';
import { AppendOnlyFileRewrite } from '../../platform/redis/append-only-file-rewrite';
import { Suspension } from '../record/suspension';
import { RunStore } from '../store/run.store';
import { type Discrepancy, Reconciler, ReconcilerSchedule } from './reconciler';
import { RunDispatcher } from '../queue/run-dispatcher';

const ASK = new Suspension(['a'], {});

describe(Reconciler.name, () => {
  let redis: TestRedis;
  let room: Invocations;

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    room = new Invocations(redis);
  });
  afterEach(() => room.close());

  async function find(): Promise<Discrepancy[]> {
    const found = [];
    for await (const page of room.reconciler.find()) found.push(...page);
    return found;
  }
  const round = () =>
    new ReconcilerSchedule(
      room.connections,
      room.reconciler,
      new AppendOnlyFileRewrite(room.connections, room.config),
    ).round();

  const create = async (id: string) => {
    await room.create(id);
    await room.age(id);
  };
  const ended = (id: string) => ({ kind: 'ended_not_settled', id });
  const overdue = (id: string) => ({
    kind: 'overdue',
    id,
    tool: 'deep_research',
    priority: 'normal',
  });

  it('finds nothing where nothing is wrong', async () => {
    await room.create('young');
    await create('queued');
    await room.kinds.dispatcherOf('deep_research').start('queued', 'normal');
    await create('held');
    await room.store.claim('held', 'worker', 60_000);
    await create('parked');
    const outcome = await room.store.claim('parked', 'worker', 60_000);
    if (outcome.kind === 'claimed')
      await room.store.release('parked', outcome.claim.fence, 60_000);
    await create('asking');
    await room.store.await('asking', undefined, ASK);
    expect(await find()).toEqual([]);
    expect(await room.reader.states(['asking'])).toEqual([{ kind: 'held' }]);
  });

  it('brings to the workers what was decided by a process that died then', async () => {
    await create('decided');
    await room.store.await('decided', undefined, ASK);
    await room.store.decide('decided', { a: 'yes' });
    // The process may just be about to do so itself.
    expect(await find()).toEqual([]);
    await redis.call('HSET', 'sonde:{decided}:record', 'lease_ms', '1');
    expect(await find()).toEqual([overdue('decided')]);
    await round();
    expect(await room.underWay()).toEqual(['decided']);
  });

  it('takes one out of the index that was never decided and has expired', async () => {
    const settled: string[] = [];
    room.endings.register({ settle: async (id) => void settled.push(id) });
    await create('asking');
    const runs = { ...room.config.runs, retentionMs: 1 };
    const config = Object.assign({}, room.config, { runs });
    const store = new RunStore(room.connections, config);
    await store.await('asking', undefined, ASK);
    await until(
      'the run to expire',
      async (saw) => saw(await find()).length > 0,
    );
    expect(await find()).toEqual([ended('asking')]);
    await round();
    expect(settled).toEqual(['asking']);
    expect(await room.indexed()).toEqual([]);
    expect(await redis.dump('*{asking}*')).toBe('[]');
  });

  it('settles what has ended or is gone, and takes it out of the index', async () => {
    const settled: string[] = [];
    room.endings.register({ settle: async (id) => void settled.push(id) });
    await create('ended');
    await room.end('ended');
    // Died between the reservation and the record.
    await room.unfinished.reserve('gone');
    await room.age('gone');
    expect(await find()).toEqual(
      expect.arrayContaining([ended('ended'), ended('gone')]),
    );
    await round();
    expect(settled.sort()).toEqual(['ended', 'gone']);
    expect(await room.indexed()).toEqual([]);
  });

  it('gives to the workers again what nothing brings to them', async () => {
    await create('lost');
    expect(await find()).toEqual([overdue('lost')]);
    await round();
    expect(await room.underWay()).toEqual(['lost']);
    expect(await find()).toEqual([]);
    expect(await room.indexed()).toEqual(['lost']);
  });

  it('finds what a room still keeps of an ended invocation that is in no index', async () => {
    const stored = new Set(['ended', 'gone', 'unfinished']);
    room.endings.register({
      settle: async (id) => void stored.delete(id),
      leftovers: async function* () {
        yield [...stored];
      },
    });
    await room.create('unfinished');
    await room.create('ended');
    await room.end('ended');
    await room.unfinished.remove('ended');
    expect(await find()).toEqual([ended('ended'), ended('gone')]);
    await round();
    expect([...stored]).toEqual(['unfinished']);
  });

  it('goes on with the others where one cannot be mended', async () => {
    class Broken extends RunDispatcher {
      override revive = () => Promise.reject(new Error('It cannot be.'));
    }
    const dispatcher = new Broken(room.queue, 'broken');
    room.kinds.register({ name: 'broken', dispatcher });
    await room.create('foreign', 'broken');
    await room.age('foreign');
    await create('lost');
    await round();
    expect(await room.underWay()).toEqual(['lost']);
  });

  it('brings one to the workers again whose tool is no longer there', async () => {
    await room.create('orphan', 'a_tool_of_another_version');
    await room.age('orphan');
    await round();
    expect(await room.underWay()).toEqual(['orphan']);
  });

  it('misses none of thousands, though those before are taken out meanwhile', async () => {
    const ids = Array.from({ length: 2_000 }, (_, i) => `inv_${i}`);
    await redis.call(
      'ZADD',
      'sonde:unfinished',
      ...ids.flatMap((id) => ['1', id]),
    );
    await round();
    expect(await room.indexed()).toEqual([]);
  });

  it('is done by one of several workers at a time', async () => {
    let rounds = 0;
    room.endings.register({
      settle: async () => undefined,
      leftovers: async function* () {
        rounds += 1;
        yield [];
      },
    });
    await Promise.all([round(), round(), round()]);
    expect(rounds).toBe(1);
    const ttl = await redis.call('PTTL', 'sonde:reconciling');
    expect(ttl).toBeGreaterThan(0);
    await redis.call('DEL', 'sonde:reconciling');
    await round();
    expect(rounds).toBe(2);
  });
});
