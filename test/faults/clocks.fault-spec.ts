import type { Invocation } from '../support/client';
import { preload } from '../support/processes/preload';
import { Stand } from '../support/processes/stand';
import { expectCompletedRun } from '../support/completed-run';

const HOUR_MS = 3_600_000;

/** Every worker has the same wrong clock, so that any run is at one of them. */
const clocks = [
  ['an hour ahead', { CLOCK_SHIFT_MS: String(HOUR_MS) }],
  ['an hour behind', { CLOCK_SHIFT_MS: String(-HOUR_MS) }],
] as const;

const jumps = [
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
] as const;

describe('with workers on wrong clocks', () => {
  let stand: Stand;

  beforeEach(async () => {
    stand = await Stand.start({ workers: 0, researchMs: 3_000 });
  });
  afterEach(() => stand.stop());

  /** No worker took the run over or ended it early, and its times are those of the server. */
  async function expectSane(
    invocation: Invocation,
    submitted: number,
  ): Promise<void> {
    const record = await expectCompletedRun(stand, invocation);
    const ended = Date.now();
    const times = [record.created_at, record.started_at, record.completed_at];
    const [created, started, completed] = times.map((at) => Date.parse(at));
    for (const [earlier, later] of [
      [submitted, created],
      [created, started],
      [started, completed],
      [completed, ended],
    ])
      expect(earlier).toBeLessThanOrEqual(later);
    expect(Date.parse(record.expires_at) - completed).toBe(7 * 24 * HOUR_MS);
    const key = `sonde:{${invocation.id}}:record`;
    expect(await stand.redis.call('HGET', key, 'fence')).toBe('1');
  }

  it.each(clocks)(
    '%s: nothing expires early and no run is taken over',
    async (_, env) => {
      const wrong = preload('shifted-clock', env);
      await Promise.all([stand.addWorker(wrong), stand.addWorker(wrong)]);
      const submitted = Date.now();
      const invocation = await stand.client().submit();
      await expectSane(invocation, submitted);
    },
  );

  it('that disagree: nothing expires early and no run is taken over', async () => {
    for (const [, env] of clocks)
      await stand.addWorker(preload('shifted-clock', env));
    const submitted = Date.now();
    const invocations = await Promise.all(
      Array.from({ length: 6 }, () => stand.client().submit()),
    );
    for (const invocation of invocations)
      await expectSane(invocation, submitted);
  });

  it.each(jumps)('that jump %s in the middle of a run', async (_, ms) => {
    const jumping = preload('shifted-clock', { CLOCK_JUMP_MS: String(ms) });
    await Promise.all([stand.addWorker(jumping), stand.addWorker(jumping)]);
    const submitted = Date.now();
    const invocation = await stand.client().submit();
    for await (const { event } of invocation.events())
      if (event === 'progress') break;
    for (const worker of stand.workers) worker.signal('SIGUSR2');
    await expectSane(invocation, submitted);
    const next = Date.now();
    await expectSane(await stand.client().submit(), next);
  });
});

describe('with an API process on a wrong clock', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ apis: 0, researchMs: 500 });
  });
  afterAll(() => stand.stop());

  it.each(clocks)('%s: research is unaffected', async (_, env) => {
    await stand.addApi(preload('shifted-clock', env));
    const invocation = await stand.client(stand.apis.length - 1).submit();
    await expectCompletedRun(stand, invocation);
  });
});
