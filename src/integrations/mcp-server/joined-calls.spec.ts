import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { runsService } from '../../../test/support/runs-service';
import { loadConfig } from '../../config/load-config';
import type { AppError } from '../../platform/errors';
import type { EventLogSubscriber } from '../../runs/events/event-log-subscriber';
import { KEYS } from '../../runs/record/run-keys';
import { RunReader } from '../../runs/store/run-reader';
import type { RunsService } from '../../runs/runs.service';
import { JoinedRuns } from '../../runs/repeats/joined-runs';
import { JoinedCalls } from './joined-calls';

const MINUTE = 60_000;
const alice = { name: 'alice' };
const ARGS = { question: 'why', depth: 'deep' };

describe(JoinedCalls.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let service: RunsService;
  let feed: EventLogSubscriber;
  let joined: JoinedCalls;

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    room = new Invocations(redis, loadConfig({ REDIS_URL: redis.url }));
    ({ service, feed } = runsService(room));
    const reader = new RunReader(room.connections, room.kinds);
    joined = new JoinedCalls(new JoinedRuns(room.connections, service, reader));
  });
  afterEach(async () => {
    feed.onApplicationShutdown();
    await room.close();
  });

  const submit = async (
    args: object = ARGS,
    caller: object = alice,
    fault?: Error,
  ): Promise<string> => {
    const { id } = await joined.submit(
      caller,
      'tool',
      { ...args },
      async (own, key) => {
        const idempotency = { key, body: own };
        const accepted = await service.submitChecked('inv_', {
          tool: 'tool',
          arguments: own,
          mode: 'background',
          caller,
          idempotency,
        });
        if (fault) throw fault;
        return accepted;
      },
    );
    return id;
  };
  const end = (id: string, status: string, minutesAgo: number) => {
    const at = String(service.now() - minutesAgo * MINUTE);
    const fields = ['status', status, 'completed_ms', at];
    return redis.call('HSET', KEYS.record(id), ...fields);
  };

  it('stands for one run, in any order of the arguments and however many ask at once', async () => {
    const { question, depth } = ARGS;
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        submit(n % 2 ? ARGS : { depth, question }),
      ),
    );
    expect(new Set(ids).size).toBe(1);
  });

  it.each([
    ['other arguments', { question: 'who' }, alice],
    ['another caller', ARGS, { name: 'bob' }],
    ['a caller without a name', ARGS, {}],
    ['a key', { ...ARGS, idempotency_key: 'mine' }, alice],
  ])('begins another run for %s', async (_, args, caller) => {
    const first = await submit();
    const other = await submit(args, caller);
    expect(other).not.toBe(first);
    expect(await submit(args, caller)).toBe(other);
    expect(await submit()).toBe(first);
  });

  it.each([
    ['completed', 14, true],
    ['incomplete', 14, true],
    ['completed', 16, false],
    ['failed', 1, false],
    ['cancelled', 1, false],
    ['of-a-newer-version', 16, true],
  ])(
    'of a run that is %s for %i minutes: joined %s, by all',
    async (status, minutes, isJoined) => {
      const first = await submit();
      await end(first, status, minutes);
      const next = await Promise.all([submit(), submit(), submit()]);
      expect(new Set(next).size).toBe(1);
      expect(next[0] === first).toBe(isJoined);
    },
  );

  it('begins another run once one was deleted', async () => {
    const first = await submit();
    await service.remove(await service.read(first));
    expect(await submit()).not.toBe(first);
  });

  it('finds the run of a process that died before it could write its id', async () => {
    await expect(submit(ARGS, alice, new Error('killed'))).rejects.toThrow();
    const [id] = await room.underWay();
    expect(await submit()).toBe(id);
  });

  it.each([1, '', 'line\nbreak', 'ㄱ', 'a'.repeat(256)])(
    'refuses the key %j by its name',
    async (idempotency_key) => {
      const refused = await submit({ ...ARGS, idempotency_key }).then(
        () => undefined,
        (error: AppError) => error.errors,
      );
      expect(refused).toMatchObject([{ path: 'arguments.idempotency_key' }]);
    },
  );
});
