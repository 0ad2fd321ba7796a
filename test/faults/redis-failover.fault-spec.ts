import type { Invocation } from '../support/client';
import { SentinelFleet } from '../support/redis/redis-sentinel';
import { Stand } from '../support/processes/stand';
import { expectCompletedRun } from '../support/completed-run';
import { until } from '../support/until';

const RUNS = 10;

describe('a failover by Sentinel', () => {
  let fleet: SentinelFleet;
  let stand: Stand;

  beforeEach(async () => {
    fleet = await SentinelFleet.start();
    stand = await Stand.start({
      workers: 2,
      researchMs: 4_000,
      env: { REDIS_URL: fleet.url },
    });
  });
  afterEach(async () => {
    await stand.stop();
    await fleet.stop();
  });

  /** Runs that are all past their purchase, and replicated. */
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
    await fleet.replicated();
    return invocations;
  }

  it.each([
    ['after the death of the master', () => fleet.killMaster()],
    ['requested by an operator', () => fleet.switchMaster()],
  ])('leaves all runs unaffected, %s', async (_, fail) => {
    const invocations = await underWay();
    await fail();
    await fleet.switched();
    const next = await until('a submission to be accepted', () =>
      stand
        .client()
        .submit()
        .catch(() => undefined),
    );
    for (const invocation of [...invocations, next])
      await expectCompletedRun(stand, invocation);
    expect((await stand.stats()).creates).toBe(RUNS + 1);
  });
});
