import { setTimeout as sleep } from 'node:timers/promises';
import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { runsService } from '../../../test/support/runs-service';
import { until } from '../../../test/support/until';
import { loadConfig } from '../../config/load-config';
import { AppError } from '../../platform/errors';
import type { EventLogSubscriber } from '../events/event-log-subscriber';
import { KEYS } from '../record/run-keys';
import type { RunsService } from '../runs.service';
import { AdoptedRuns, type RepeatableRequest } from './adopted-runs';

const MINUTE = 60_000;
const BODY = { message: 'why', messages: [{ role: 'user' }] };

describe(AdoptedRuns.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let service: RunsService;
  let feed: EventLogSubscriber;
  let leaving: (() => void)[];

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    room = new Invocations(redis, loadConfig({ REDIS_URL: redis.url }));
    ({ service, feed } = runsService(room));
    leaving = [];
  });
  afterEach(async () => {
    for (const leave of leaving) leave();
    feed.onApplicationShutdown();
    await room.close();
  });

  /** The state of the runs of the only request, by key. */
  const states = async (): Promise<Record<string, string>> => {
    const [place] = (await redis.call('KEYS', 'sonde:{repeat:*')) as string[];
    if (!place) return {};
    const flat = (await redis.call('HGETALL', place)) as string[];
    return Object.fromEntries(
      flat.flatMap((_, at) => (at % 2 ? [] : [[flat[at], flat[at + 1]]])),
    );
  };
  const setStates = async (state: string): Promise<void> => {
    const [place] = (await redis.call('KEYS', 'sonde:{repeat:*')) as string[];
    for (const key of Object.keys(await states()))
      await redis.call('HSET', place, key, state);
  };
  const end = (id: string, status: string, minutesAgo = 0) => {
    const at = String(service.now() - minutesAgo * MINUTE);
    return redis.call(
      'HSET',
      KEYS.record(id),
      'status',
      status,
      'completed_ms',
      at,
    );
  };

  /** One request, of a client in some process. */
  const ask = async (
    request: Partial<RepeatableRequest> & { isRetry?: boolean } = {},
    fault?: Error,
  ) => {
    const { isRetry = false, ...rest } = request;
    const left = Promise.withResolvers<boolean>();
    const adopted = new AdoptedRuns(room.connections, service);
    const { caller = { name: 'alice' } } = rest;
    const accepted = await adopted.adopt(
      {
        caller,
        client: { isRetry, answered: () => left.promise },
        target: 'chat 0',
        body: BODY,
        signal: new AbortController().signal,
        ...rest,
      },
      (key) => {
        if (fault) throw fault;
        return service.submitChecked('inv_', {
          tool: 'tool',
          arguments: {},
          mode: 'background',
          caller,
          idempotency: { key, body: null },
        });
      },
    );
    leaving.push(() => left.resolve(false));
    const { id } = accepted.record;
    const leave = async (answered: boolean): Promise<void> => {
      const before = await states();
      left.resolve(answered);
      await until('the state of the run', async (saw) => {
        const now = saw(await states());
        return Object.keys(before).some((key) => now[key] !== before[key]);
      });
    };
    return { id, token: accepted.token, leave };
  };

  it('gives the run of a caller who has gone to a repeat, with a token of its own', async () => {
    const first = await ask();
    await first.leave(false);
    const { messages, message } = BODY;
    const second = await ask({ body: { messages, message } });
    expect(second.id).toBe(first.id);
    expect(second.token).not.toBe(first.token);
    await expect(
      service.open(first.id, {}, second.token),
    ).resolves.toMatchObject({ id: first.id });
  });

  it('gives it to one repeat alone, and to the next once that one has gone too', async () => {
    const first = await ask();
    await first.leave(false);
    const second = await ask();
    await setStates('held 9000000000000');
    const third = await ask();
    expect(second.id).toBe(first.id);
    expect(third.id).not.toBe(first.id);
  });

  it('gives two callers who wait a run each', async () => {
    const first = await ask();
    await setStates('held 9000000000000');
    expect((await ask()).id).not.toBe(first.id);
  });

  it('waits to see whether the process of a caller is still there', async () => {
    const first = await ask();
    const second = ask();
    // As if its process had been killed at once.
    for (const leave of leaving) leave();
    await setStates('held 1');
    expect((await second).id).toBe(first.id);
  });

  it.each([
    ['a caller who still waits', false],
    ['a caller who was answered', true],
  ])(
    'gives the run of %s to a request that says it is a retry',
    async (_, answered) => {
      const first = await ask();
      if (answered) {
        await end(first.id, 'completed');
        await first.leave(true);
      }
      expect((await ask({ isRetry: true })).id).toBe(first.id);
    },
  );

  it('gives a caller who was answered a new run', async () => {
    const first = await ask();
    await end(first.id, 'completed');
    await first.leave(true);
    expect((await ask()).id).not.toBe(first.id);
  });

  it('goes on with a run that was not over when its caller was answered', async () => {
    const first = await ask();
    await first.leave(true);
    expect((await ask()).id).toBe(first.id);
  });

  it.each([
    ['has failed', 'failed', 0],
    ['was cancelled', 'cancelled', 0],
    ['has succeeded sixteen minutes ago', 'completed', 16],
  ])('does not give anyone a run that %s', async (_, status, minutesAgo) => {
    const first = await ask();
    await first.leave(false);
    await end(first.id, status, minutesAgo);
    const second = await ask({ isRetry: true });
    expect(second.id).not.toBe(first.id);
    expect(Object.keys(await states())).toHaveLength(1);
  });

  it('does not give anyone a run that was deleted', async () => {
    const first = await ask();
    await first.leave(false);
    await service.remove(await service.read(first.id));
    expect((await ask()).id).not.toBe(first.id);
  });

  it.each([
    ['of another caller', { caller: { name: 'bob' } }],
    ['with another body', { body: { message: 'how' } }],
    ['for another call', { target: 'chat 1' }],
  ])('keeps the run from a request %s', async (_, other) => {
    const first = await ask();
    await first.leave(false);
    expect((await ask(other)).id).not.toBe(first.id);
  });

  it('gives callers without a name a run of another only if they say that they repeat', async () => {
    const first = await ask({ caller: {} });
    await first.leave(false);
    expect((await ask({ caller: {} })).id).not.toBe(first.id);
    const retry = { caller: {}, isRetry: true };
    expect((await ask(retry)).id).toBe(first.id);
  });

  it('leaves nothing behind of a submission that is refused', async () => {
    const refusal = new AppError('capacity_exceeded');
    await expect(ask({}, refusal)).rejects.toBe(refusal);
    expect(await states()).toEqual({});
  });

  it('goes on with a submission of which it is unknown what came', async () => {
    await expect(ask({}, new Error('connection lost'))).rejects.toThrow('lost');
    const [key] = Object.keys(await states());
    await setStates('held 1');
    await ask();
    expect(Object.keys(await states())).toEqual([key]);
  });

  it('keeps a bounded number of runs of equal requests', async () => {
    const first = await ask();
    const [place] = (await redis.call('KEYS', 'sonde:{repeat:*')) as string[];
    for (let n = 0; n < 150; n += 1)
      await redis.call('HSET', place, `old-${n}`, 'answered 9000000000000');
    await first.leave(false);
    await ask();
    expect(Object.keys(await states())).toHaveLength(1);
  });

  it('submits nothing for a client who leaves while it waits', async () => {
    await ask();
    await setStates('held 9000000000000');
    const client = new AbortController();
    const second = ask({ signal: client.signal });
    await sleep(0);
    client.abort();
    await expect(second).rejects.toMatchObject({ code: 'shutting_down' });
    expect(Object.keys(await states())).toHaveLength(1);
  });
});
