import { Invocations } from '../../test/support/invocations';
import { runsService } from '../../test/support/runs-service';
import { all } from '../../test/support/client';
import { TestRedis } from '../../test/support/redis/redis';
import { until } from '../../test/support/until';
import { loadConfig } from '../config/load-config';
import type { AppError } from '../platform/errors';
import { Suspension } from './record/suspension';
import type { EventLogSubscriber } from './events/event-log-subscriber';
import { eventFrames } from './http/events/event-frames';
import type { IdPrefix } from './record/run-id';
import type { RunSubmitter } from './submit/run-submitter';
import type { NeededRun, Submission } from './submit/submission';
import { KEYS } from './record/run-keys';
import { RunsService } from './runs.service';

const CHAT = 'chat_1';
const ASK = new Suspension(['a', 'b'], { asks: 2 });
const HOOK = 'https://hooks.example.com/';
const KEYED = { idempotency: { key: 'key', body: {} } };
const alice = { name: 'alice' };
const forever = new AbortController().signal;

describe(RunsService.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let service: RunsService;
  let intake: RunSubmitter;
  let feed: EventLogSubscriber;

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    room = new Invocations(
      redis,
      loadConfig({
        REDIS_URL: redis.url,
        RELAY_MAX_INVOCATIONS: '4',
        RELAY_API_KEYS: `alice:${'a'.repeat(64)}`,
        RELAY_WEBHOOK_SECRETS: `alice:whsec_${'A'.repeat(32)}`,
        RELAY_WEBHOOK_URLS: `alice=${HOOK}`,
      }),
    );
    ({ service, intake, feed } = runsService(room));
  });
  afterEach(async () => {
    feed.onApplicationShutdown();
    await room.close();
  });

  const WORK = { tool: 'chat', arguments: {}, caller: alice };
  const accept = (id: string, of: Partial<Submission> = {}) =>
    intake.submit(id, { ...WORK, mode: 'background', ...of });
  const proceed = (id: string, of: Partial<NeededRun> = {}) =>
    intake.continue({ ...WORK, id, openedBy: [], ...of });
  const park = () => intake.park(CHAT, { ...WORK, awaiting: ASK });
  const schedule = async (id: string, isPart: boolean) =>
    intake.schedule(await service.read('inv_1'), {
      ...WORK,
      id,
      dueMs: service.now(),
      isPart,
    });
  const asking = async () => {
    await park();
    return service.read(CHAT);
  };
  const code = (of: Promise<unknown>) =>
    of.then(
      () => 'none',
      (error: AppError) => error.code,
    );
  const listed = () => redis.call('ZRANGE', KEYS.caller('alice'), '0', '-1');
  const listedChats = () =>
    redis.call('ZRANGE', KEYS.chats('alice'), '0', '-1');
  const webhook = async (id: string) => (await service.read(id)).webhook;

  describe('accepts', () => {
    it('with more fields of the record, which take the place of none', async () => {
      await accept(CHAT, { fields: { model: 'm', tool: 'other' } });
      const claimed = await room.store.claim(CHAT, 'worker', 60_000);
      expect(claimed).toMatchObject({
        claim: { fields: { model: 'm', tool: 'chat' } },
      });
    });

    it('what is listed and announced, and what is neither', async () => {
      await accept('inv_1');
      await schedule('inv_2', true);
      await schedule('inv_3', false);
      await accept(CHAT, { webhook: HOOK });
      await schedule('chat_2', true);
      expect(await listed()).toEqual(['inv_1', 'inv_3']);
      expect(await listedChats()).toEqual([CHAT]);
      expect(await webhook('inv_1')).toBe(HOOK);
      expect(await webhook('inv_2')).toBeUndefined();
      expect(await webhook('inv_3')).toBe(HOOK);
      expect(await webhook(CHAT)).toBeUndefined();
      expect(await webhook('chat_2')).toBeUndefined();
      expect((await service.open(CHAT, alice, undefined, 'chat_')).id).toBe(
        CHAT,
      );
    });

    it('no more than there is room for, but for what others cannot end without', async () => {
      const { maxUnfinished } = room.config.runs;
      for (let n = 0; n < maxUnfinished; n += 1) await accept(`inv_${n}`);
      expect(await code(accept('inv_more'))).toBe('capacity_exceeded');
      expect(await code(proceed('inv_more'))).toBe('none');
      expect(await code(accept('inv_still'))).toBe('capacity_exceeded');
    });

    it('what waits for a human, and gives it to no worker', async () => {
      const { record } = await park();
      expect((await service.read(record.id)).status).toBe('requires_action');
      expect(await room.underWay()).toEqual([]);
    });

    it('nothing of what waits for a human, if that could not be noted', async () => {
      jest.spyOn(room.store, 'await').mockRejectedValueOnce(new Error('away'));
      await expect(park()).rejects.toThrow('away');
      await until('Redis to forget the chat', () => redis.hasForgotten(CHAT));
      await until(
        'the index to be empty',
        async (saw) => saw(await room.indexed()).length === 0,
      );
    });

    it.each([
      ['a fault of the service', new Error('a bug'), 'failed', 0],
      ['an outage of Redis', new Error('Connection is closed.'), 'queued', 1],
    ])(
      'what has a key and could not be handed to the workers, after %s',
      async (_, fault, status, unfinished) => {
        const failing = jest
          .spyOn(room.kinds.dispatcherOf('chat'), 'start')
          .mockRejectedValue(fault);
        await expect(accept('inv_1', KEYED)).rejects.toBe(fault);
        expect(await room.reader.readStatus('inv_1')).toBe(status);
        expect(await room.unfinished.count()).toBe(unfinished);
        failing.mockRestore();
        // The key stands for it all the same.
        const { record } = await accept('inv_2', KEYED);
        expect(record).toMatchObject({ id: 'inv_1', status });
      },
    );

    it('again what has ended, without counting it as unfinished again', async () => {
      await accept(CHAT);
      await room.end(CHAT);
      await room.endings.settle(CHAT);
      const { record, replayed } = await accept(CHAT);
      expect({ status: record.status, replayed }).toEqual({
        status: 'failed',
        replayed: true,
      });
      expect(await room.indexed()).toEqual([]);
    });

    it('the same again, which is opened by those that opened it', async () => {
      const first = await proceed('inv_1', { openedBy: ['chat'] });
      for (let n = 0; n < 100; n += 1) await proceed('inv_1');
      const { tokenHashes } = await service.read('inv_1');
      expect(tokenHashes).toEqual(first.record.tokenHashes);
      expect(tokenHashes).toContain('chat');
    });

    it.each<[string, boolean, (id: string) => Promise<unknown>]>([
      ['that was begun before', true, accept],
      ['that is asked for again', false, proceed],
      ['whose key is used again', false, (id) => accept(id, KEYED)],
    ])('and takes nothing back %s', async (_, isBegun, again) => {
      if (isBegun) await accept('inv_1');
      const dispatcher = room.kinds.dispatcherOf('chat');
      const away = new Error('Connection is closed.');
      jest.spyOn(dispatcher, 'start').mockRejectedValueOnce(away);
      await expect(again('inv_1')).rejects.toBe(away);
      await accept('inv_2');
      expect((await service.read('inv_1')).status).toBe('queued');
      expect(await room.indexed()).toEqual(['inv_1', 'inv_2']);
    });

    it.each([
      ['inv_1', 'invocation_not_found'],
      [CHAT, 'chat_not_found'],
    ])('not again what its owner has removed: %s', async (id, expected) => {
      await accept(id);
      await service.remove(await service.read(id));
      expect(await code(accept(id))).toBe(expected);
      expect(await listed()).toEqual([]);
      expect(await room.indexed()).toEqual([]);
    });
  });

  describe('opens', () => {
    it.each<[string, IdPrefix | undefined, string]>([
      ['inv_1', undefined, 'none'],
      ['inv_1', 'chat_', 'chat_not_found'],
      ['inv_2', undefined, 'invocation_not_found'],
      [CHAT, 'chat_', 'none'],
      [CHAT, undefined, 'invocation_not_found'],
      [CHAT, 'inv_', 'invocation_not_found'],
      ['chat_2', 'chat_', 'chat_not_found'],
    ])('%s as %s: %s', async (id, prefix, expected) => {
      await accept('inv_1');
      await accept(CHAT);
      expect(await code(service.open(id, alice, undefined, prefix))).toBe(
        expected,
      );
    });
  });

  describe('takes decisions', () => {
    it('and gives the run to the workers after the last one', async () => {
      const record = await asking();
      expect(await service.decide(record, { a: 'yes' })).toBe(1);
      expect(await room.underWay()).toEqual([]);
      expect(await service.decide(record, { b: 'yes' })).toBe(0);
      expect(await room.underWay()).toEqual([CHAT]);
    });

    it('from two processes, and gives it to the workers once', async () => {
      const record = await asking();
      const elsewhere = new Invocations(redis, room.config);
      const other = runsService(elsewhere);
      const left = await Promise.all([
        service.decide(record, { a: 'yes' }),
        other.service.decide(record, { b: 'no' }),
      ]);
      other.feed.onApplicationShutdown();
      await elsewhere.close();
      expect(left.sort()).toEqual([0, 1]);
      expect(await room.underWay()).toEqual([CHAT]);
    });

    it('but not others than it waits for', async () => {
      const record = await asking();
      const refused = service.decide(record, { a: 'yes', c: 'yes' }, 'answers');
      await expect(refused).rejects.toMatchObject({
        code: 'validation_failed',
        errors: [{ path: 'answers.c', message: 'is not awaited' }],
      });
      await service.decide(record, { a: 'yes' });
      const decide = (decisions: Record<string, string>) =>
        code(service.decide(record, decisions));
      expect(await decide({ a: 'no' })).toBe('decision_conflict');
      await service.decide(record, { b: 'yes' });
      expect(await decide({ b: 'yes' })).toBe('not_waiting');
      await service.cancel(record);
      expect(await decide({ b: 'yes' })).toBe('not_waiting');
      await service.remove(record);
      expect(await decide({ b: 'yes' })).toBe('chat_not_found');
    });
  });

  it('tells at once whoever waits for one that requires action', async () => {
    await asking();
    const record = await service.wait(CHAT, 60_000, forever);
    expect(record.status).toBe('requires_action');
  });

  it('waits on for one that was decided before it was read', async () => {
    const record = await asking();
    const ended = jest.spyOn(feed, 'ended').mockImplementationOnce(async () => {
      await service.decide(record, { a: 'yes', b: 'yes' });
    });
    const settled = service.settled(CHAT, forever);
    await until(
      'the second wait for the end',
      (saw) => saw(ended.mock.calls.length) === 2,
    );
    await service.cancel(record);
    expect((await settled).status).toBe('cancelled');
  });

  it('ends one that requires action as soon as it is cancelled', async () => {
    const record = await service.cancel(await asking());
    expect(record.status).toBe('cancelled');
    expect(await room.indexed()).toEqual([]);
  });

  it('forgets one that requires action as soon as it is removed', async () => {
    await service.remove(await asking());
    expect(await redis.hasForgotten(CHAT)).toBe(true);
    expect(await room.indexed()).toEqual([]);
  });

  it('shows events as frames, in the way of who asks', async () => {
    const record = await service.cancel(await asking());
    const show = (...toFrame: [] | [Parameters<typeof eventFrames>[4]]) =>
      all(eventFrames(service, record, 2, forever, ...toFrame));
    expect((await show())[0]).toEqual({
      id: '3',
      event: 'requires_action',
      json: `{"invocation_id":"${CHAT}","type":"requires_action","status":"requires_action","data":{"asks":2}}`,
    });
    const own = await show(async (id, { seq, type }) => ({
      event: `${id} ${seq} ${type}`,
    }));
    expect(own.map(({ event }) => event)).toEqual([
      `${CHAT} 3 requires_action`,
      `${CHAT} 4 status`,
      `${CHAT} 5 error`,
    ]);
  });
});
