import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { preload } from '../support/processes/preload';
import { Service } from '../support/processes/service';
import { Stand } from '../support/processes/stand';
import { expectCompletedRun } from '../support/completed-run';
import { until } from '../support/until';
import { waitForEnd } from '../support/event-log';

const NAME = 'deep_research';

describe('deliveries', () => {
  let stand: Stand;
  let connection: Redis;
  let queue: Queue;

  beforeAll(async () => {
    stand = await Stand.start({ researchMs: 1_000 });
    connection = stand.redis.connect();
    queue = new Queue('research', { connection, prefix: '{sonde}' });
  });
  afterAll(async () => {
    await queue.close();
    connection.disconnect();
    await stand.stop();
  });

  /** The state of a job that was added by hand, its attempts, and its requests to the upstream. */
  async function deliver(data: object, attempts = 1) {
    const before = (await stand.stats()).requests.length;
    const job = await queue.add(NAME, data, { attempts });
    const state = await until('the job to end', async (saw) => {
      const now = saw(await job.getState());
      return (now === 'completed' || now === 'failed') && now;
    });
    const { attemptsMade = 0 } = (await queue.getJob(job.id!)) ?? {};
    const after = (await stand.stats()).requests.length;
    return { state, attemptsMade, requests: after - before };
  }

  it('of an ended run are acknowledged without a request to the upstream', async () => {
    const invocation = await stand.client().submit();
    await expectCompletedRun(stand, invocation);
    const log = await stand.redis.dump(`sonde:{${invocation.id}}:*`);
    expect(await deliver({ invocation_id: invocation.id })).toEqual({
      state: 'completed',
      attemptsMade: 1,
      requests: 0,
    });
    expect(await stand.redis.dump(`sonde:{${invocation.id}}:*`)).toBe(log);
  });

  it('of an active run have no effect on it', async () => {
    await stand.fault({ kind: 'slow', ms: 4_000 });
    const invocation = await stand.client().submit();
    const again = await queue.add(NAME, { invocation_id: invocation.id });
    await expectCompletedRun(stand, invocation);
    // The worker has put it off until the lease of the run is over.
    await until('the second delivery to be completed', async (saw) => {
      const state = saw(await again.getState());
      if (state === 'delayed') await again.promote().catch(() => undefined);
      return state === 'completed';
    });
    const key = `sonde:{${invocation.id}}:record`;
    expect(await stand.redis.call('HGET', key, 'fence')).toBe('1');
  });

  it.each([
    ['nothing', {}],
    ['a number', { invocation_id: 5 }],
    ['an unknown id', { invocation_id: 'inv_0' }],
    ['strange characters', { invocation_id: '{a}\r\n:b' }],
    ['an object', { invocation_id: { a: 1 } }],
  ])('that name no invocation are handled once: %s', async (_, data) => {
    expect(await deliver(data)).toMatchObject({ attemptsMade: 1, requests: 0 });
    expect(await queue.getActiveCount()).toBe(0);
    await expectCompletedRun(stand, await stand.client().submit());
  });

  it('of a run that kills every worker end with the run', async () => {
    await Promise.all(stand.workers.map((worker) => worker.stop('SIGKILL')));
    stand.workers.length = 0;
    await stand.fault({ kind: 'cut', after_events: 6 });
    await stand.fault({ kind: 'slow', ms: 120_000 });
    const invocation = await stand.client().submit();
    // Every worker that reads the upstream's run dies of it.
    const fatal = {
      ...stand.env,
      ...preload('fail-point', { FAIL_POINT: 'after:1:GET /v1/responses/' }),
    };
    let deaths = 0;
    let ended = false;
    const end = waitForEnd(invocation).finally(() => (ended = true));
    while (!ended) {
      const worker = Service.spawn('worker', fatal);
      stand.workers[0] = worker;
      await Promise.race([worker.end(), end]);
      if (ended) break;
      deaths += 1;
      await stand.expireLeases(invocation);
    }
    expect(deaths).toBe(6);
    expect(await end).toMatchObject({
      status: 'failed',
      error: { code: 'worker_crashed_repeatedly' },
    });
    expect(await stand.stats()).toMatchObject({ in_flight: 0 });
  });
});
