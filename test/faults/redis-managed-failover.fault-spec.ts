import { opened, type Client, type Invocation } from '../support/client';
import { expectCompletedRun } from '../support/completed-run';
import { expectCompleteLog } from '../support/event-log';
import { doctor } from '../support/processes/doctor';
import { Service } from '../support/processes/service';
import { Stand } from '../support/processes/stand';
import { expectProblem } from '../support/problem';
import { ManagedFleet } from '../support/redis/redis-managed';
import { until } from '../support/until';

const RUNS = 5;
const unavailable = { status: 503, code: 'queue_unavailable' };

/** A submission that is accepted as soon as Redis takes it. */
const accepted = (client: Client): Promise<Invocation> =>
  until('a submission to be accepted', (saw) =>
    client.submit().catch((error: unknown) => {
      saw(error);
      return undefined;
    }),
  );

const readiness = async (client: Client) => {
  const { status, body } = await client.get('/health/ready');
  return { status, ready: body.status, redis: body.checks.redis.detail };
};

const readOnly = /^read_only: /;

const expectNamed = (client: Client) =>
  until('health to name the state', async (saw) => {
    const { status, ready, redis } = saw(await readiness(client));
    return status === 503 && ready === 'down' && readOnly.test(redis);
  });

describe('a failover that leaves the connections at the old primary', () => {
  let fleet: ManagedFleet;
  let stand: Stand;

  beforeEach(async () => {
    fleet = await ManagedFleet.start();
    stand = await Stand.start({
      workers: 2,
      researchMs: 3_000,
      env: { REDIS_URL: fleet.url },
    });
  });
  afterEach(async () => {
    await stand.stop();
    await fleet.stop();
  });

  /** Runs that are all past their purchase. */
  async function underWay(): Promise<Invocation[]> {
    const client = stand.client();
    const invocations = await Promise.all(
      Array.from({ length: RUNS }, () => client.submit()),
    );
    for (const invocation of invocations)
      await until(
        'the id of the response',
        async (saw) =>
          saw(await invocation.read()).upstream_response_id !== null,
      );
    return invocations;
  }

  it('is named meanwhile, and every door, stream and worker goes on behind the address, both ways, with each run bought once', async () => {
    const client = stand.client();
    let bought = 0;
    for (const way of ['there', 'back']) {
      const invocations = await underWay();
      const [first] = invocations;
      const followed = await opened(first.events());
      await fleet.failOver();
      await expectNamed(client);
      expectProblem(await client.research({ background: true }), unavailable);
      fleet.moveAddress();
      const next = await accepted(client);
      for (const invocation of [...invocations, next])
        await expectCompletedRun(stand, invocation);
      expectCompleteLog(await followed.all, await first.read());
      const chat = await client.post('/api/v1/chat', {
        message: `Research the history of kimchi in detail, ${way}`,
      });
      expect(chat).toMatchObject({ status: 200, body: { tool_called: true } });
      expect(chat.body.research_summary).not.toMatch(/failed/);
      expect((await readiness(client)).status).toBe(200);
      bought += RUNS + 2;
      const { creates, creates_by_invocation: each } = await stand.stats();
      expect([creates, new Set(Object.values(each))]).toEqual([
        bought,
        new Set([1]),
      ]);
    }
    for (const { output } of [...stand.apis, ...stand.workers])
      expect(output.match(/read-only replica/g)).toHaveLength(2);
  });

  it('is noticed by processes that nobody asks anything', async () => {
    await fleet.failOver();
    fleet.moveAddress();
    await until('no process to be left at the old primary', async (saw) => {
      const list = await fleet.replica.client.client('LIST');
      const others = String(list)
        .split('\n')
        .filter((line) => / lib-name=ioredis /.test(line));
      // That of the test.
      return saw(others).length <= 1;
    });
    await expectCompletedRun(stand, await accepted(stand.client()));
  });
});

describe('a replica as REDIS_URL', () => {
  let fleet: ManagedFleet;
  let stand: Stand;

  beforeAll(async () => {
    fleet = await ManagedFleet.start();
    const env = { REDIS_URL: `redis://${fleet.replica.address}` };
    stand = await Stand.start({ apis: 0, workers: 0, env });
  });
  afterAll(async () => {
    await stand.stop();
    await fleet.stop();
  });

  it('is named by a start, by health and by the doctor; an API refuses work and a worker waits until it is the primary', async () => {
    const api = await stand.addApi();
    const worker = Service.spawn('worker', stand.env);
    stand.workers.push(worker);
    await api.waitForOutput(/Redis is a read-only replica: REDIS_URL/);
    await worker.waitForOutput(/Redis is a read-only replica: REDIS_URL/);
    const client = stand.client();
    await expectNamed(client);
    expectProblem(await client.research(), unavailable);
    expect(await doctor(stand.env)).toEqual({
      code: 1,
      lines: [
        'Redis',
        expect.stringMatching(/^ {2}Redis is a read-only replica: REDIS_URL/),
        '1 finding, 0 fixed',
      ],
    });
    expect(worker.output).not.toMatch(/Sonde is working/);
    await fleet.failOver();
    await worker.waitForOutput(/Sonde is working/);
    await expectCompletedRun(stand, await accepted(client));
  });
});
