import { Invocations } from '../../../test/support/invocations';
import { all } from '../../../test/support/client';
import { TestRedis } from '../../../test/support/redis/redis';
import { Suspension } from '../record/suspension';
import { CallerRunsCheckup } from './caller-runs-checkup';
import { CallerRunsIndex } from '../store/caller-runs-index';
import { RunsCheckup } from './runs-checkup';
import { KEYS } from '../record/run-keys';

const NOW_HEX = Date.now().toString(16).padStart(12, '0');

describe('a checkup', () => {
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

  describe('of the invocations', () => {
    const look = () =>
      all(
        new RunsCheckup(
          room.reconciler,
          room.connections,
          room.reader,
          room.unfinished,
        ).look(),
      );

    it('finds and mends what the reconciler does', async () => {
      for (const id of ['ended', 'lost']) {
        await room.create(id);
        await room.age(id);
      }
      await room.end('ended');
      const findings = await look();
      expect(
        Object.fromEntries(findings.map(({ problem, id }) => [id, problem])),
      ).toEqual({
        ended: 'Ended, but something of it is still kept',
        lost: 'Unfinished, but nothing brings it to a worker',
      });
      await Promise.all(findings.map(({ fix }) => fix!()));
      expect(await look()).toEqual([]);
    });

    it('puts an unfinished record back into the index, at its place, and gives it to the workers', async () => {
      await room.create('lost');
      const score = await redis.call('HGET', KEYS.record('lost'), 'created_ms');
      await room.unfinished.remove('lost');
      await room.create('ended');
      await room.end('ended');
      await room.endings.settle('ended');
      const findings = await look();
      expect(findings).toEqual([
        {
          problem: 'Unfinished, but not in the index of the unfinished',
          id: 'lost',
          fix: expect.any(Function),
        },
      ]);
      await findings[0].fix!();
      expect(await room.underWay()).toEqual(['lost']);
      expect(await redis.call('ZSCORE', KEYS.unfinished, 'lost')).toBe(score);
      expect(await look()).toEqual([]);
    });

    it('leaves it to the worker that holds it', async () => {
      await room.create('held');
      await room.store.claim('held', 'worker', 60_000);
      await room.unfinished.remove('held');
      await (
        await look()
      )[0].fix!();
      expect(await room.underWay()).toEqual([]);
      expect(await room.indexed()).toEqual(['held']);
    });

    it('leaves alone what waits for a human', async () => {
      await room.create('asking');
      await room.age('asking');
      await room.store.await('asking', undefined, new Suspension(['a'], {}));
      expect(await look()).toEqual([]);
      await room.unfinished.remove('asking');
      await (
        await look()
      )[0].fix!();
      expect(await room.indexed()).toEqual(['asking']);
      expect(await room.underWay()).toEqual([]);
    });

    it('changes nothing by looking', async () => {
      await room.create('lost');
      await room.unfinished.remove('lost');
      await room.unfinished.reserve('gone');
      await room.age('gone');
      const before = await redis.dump();
      expect(await look()).toHaveLength(2);
      expect(await redis.dump()).toBe(before);
    });
  });

  describe('of the callers', () => {
    const look = () => {
      const { connections, config } = room;
      const callers = new CallerRunsIndex(connections, config);
      const checkup = new CallerRunsCheckup(connections, callers, config);
      return all(checkup.look());
    };
    const list = (caller: string, ...ids: string[]) =>
      redis.call(
        'ZADD',
        KEYS.caller(caller),
        ...ids.flatMap((id) => ['0', id]),
      );

    it('finds and removes what is listed without a record', async () => {
      const missing = `inv_${NOW_HEX}gone`;
      await room.create(`inv_${NOW_HEX}there`);
      await list('alice', `inv_${NOW_HEX}there`, missing);
      await list('bob: *', missing);
      const findings = await look();
      expect(findings.map(({ id }) => id)).toEqual([missing, missing]);
      await Promise.all(findings.map(({ fix }) => fix!()));
      expect(await look()).toEqual([]);
      expect(
        await redis.call('ZRANGE', KEYS.caller('alice'), '0', '-1'),
      ).toEqual([`inv_${NOW_HEX}there`]);
    });

    it('finds and removes listed chats in the same way', async () => {
      const [there, missing] = ['there', 'gone'].map(
        (rest) => `chat_${NOW_HEX}${rest}`,
      );
      await room.create(there);
      await redis.call('ZADD', KEYS.chats('alice'), '0', there, '0', missing);
      const findings = await look();
      expect(findings.map(({ id }) => id)).toEqual([missing]);
      await findings[0].fix!();
      expect(await look()).toEqual([]);
      expect(
        await redis.call('ZRANGE', KEYS.chats('alice'), '0', '-1'),
      ).toEqual([there]);
    });

    it('takes no record for lost that may have expired', async () => {
      const old = Date.now() - room.config.runs.retentionMs - 60_000;
      await list('alice', `inv_${old.toString(16).padStart(12, '0')}old`);
      expect(await look()).toEqual([]);
    });

    it('looks through more than a page', async () => {
      const ids = Array.from({ length: 450 }, (_, i) => `inv_${NOW_HEX}${i}`);
      await list('alice', ...ids);
      expect(await look()).toHaveLength(450);
    });
  });
});
