import type { Invocation } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const CREATE = { method: 'POST', path: '/responses' };

/** A run that continues at the upstream until it is cancelled. */
const ENDLESS = { kind: 'stay', status: 'in_progress', count: 0 };

describe('two workers with a limit of two concurrent runs of a model', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      workers: 2,
      researchMs: 400,
      env: { RESEARCH_MODEL_LIMITS: 'another-model:9,*:2' },
    });
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const submit = (priority?: string): Promise<Invocation> =>
    stand.client().submit({}, { priority });
  const positionOf = async (invocation: Invocation) =>
    (await invocation.read()).queue_position;
  const running = (count: number): Promise<boolean> =>
    until(
      `${count} runs to be in flight`,
      async (saw) => saw(await stand.stats()).in_flight === count,
    );
  const occupy = async (): Promise<Invocation[]> => {
    await stand.fault(ENDLESS);
    const both = [await submit(), await submit()];
    await running(2);
    return both;
  };

  it('never exceed the limit, and finish all runs in the order of submission', async () => {
    const submitted: Invocation[] = [];
    for (let n = 0; n < 8; n += 1) submitted.push(await submit());
    const most: number[] = [];
    await until('all 8 runs to be purchased and ended', async (saw) => {
      const { in_flight, creates } = saw(await stand.stats());
      most.push(in_flight);
      return creates === 8 && in_flight === 0;
    });
    const records = await Promise.all(submitted.map((one) => one.wait()));
    expect(Math.max(...most)).toBeLessThanOrEqual(2);
    expect(records.map(({ status }) => status)).toEqual(
      records.map(() => 'completed'),
    );
    const begun = records.map(({ started_at }) => Date.parse(started_at));
    // The first two are admitted at once and may begin in any order.
    for (let n = 2; n < begun.length; n += 1)
      expect(begun[n]).toBeGreaterThanOrEqual(begun[n - 2]);
  });

  it('report their position to waiting runs, urgent ones first', async () => {
    const [first] = await occupy();
    const low = await submit('low');
    const normal = await submit();
    const high = await submit('high');
    const waiting = [high, normal, low];
    expect(await Promise.all(waiting.map(positionOf))).toEqual([1, 2, 3]);
    expect(await positionOf(first)).toBeNull();
    await first.cancel();
    await until(
      'the urgent run to be running',
      async (saw) => saw(await high.read()).status === 'running',
    );
    expect(await Promise.all(waiting.map(positionOf))).toEqual([null, 1, 2]);
    await Promise.all([...waiting, first].map((one) => one.cancel()));
  });

  it('report in the events of a waiting run that it waits', async () => {
    const both = await occupy();
    const third = await submit();
    const detail = 'The model runs as many as it may; 0 more wait in front';
    for await (const { event, data } of third.events()) {
      expect(data.status).toBe('queued');
      if (event !== 'progress') continue;
      expect(data.data).toEqual({ kind: 'waiting', detail });
      break;
    }
    expect((await third.read()).progress.last_step).toBe(detail);
    await Promise.all(both.map((one) => one.cancel()));
    await until(
      'the third run to be running',
      async (saw) => saw(await third.read()).status === 'running',
    );
    await third.cancel();
    await running(0);
  });

  it('give the slot of a cancelled run to the next in the waiting list', async () => {
    const [first, second] = await occupy();
    const [third, fourth] = [await submit(), await submit()];
    expect((await third.cancel()).body.status).toBe('cancelled');
    expect(await positionOf(fourth)).toBe(1);
    await first.cancel();
    await until(
      'the fourth run to be running',
      async (saw) => saw(await fourth.read()).status === 'running',
    );
    await Promise.all([second, fourth].map((one) => one.cancel()));
    await running(0);
  });

  it('reserve the slot of a run whose worker is killed for that run alone', async () => {
    const both = await occupy();
    const third = await submit();
    const [worker] = stand.workers.splice(0, 1);
    await worker.stop('SIGKILL');
    await stand.addWorker();
    expect(await positionOf(third)).toBe(1);
    expect((await stand.stats()).in_flight).toBe(2);
    await Promise.all(both.map((one) => one.cancel()));
    await until(
      'the third run to be running',
      async (saw) => saw(await third.read()).status === 'running',
    );
    await third.cancel();
  });
});

describe('two workers of which one is rate limited', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ workers: 2, researchMs: 50 });
  });
  afterAll(() => stand.stop());

  it('both wait as long as the endpoint asks for', async () => {
    await stand.fault({
      kind: 'status',
      status: 429,
      retry_after: 3,
      match: CREATE,
    });
    const first = await stand.client().submit();
    await until(
      'the first purchase',
      async (saw) => saw(await creates()).length === 1,
    );
    const others = await Promise.all(
      Array.from({ length: 6 }, () => stand.client().submit()),
    );
    for (const one of [first, ...others])
      expect((await one.wait()).status).toBe('completed');
    const [refused, ...accepted] = await creates();
    expect(refused.status).toBe(429);
    expect(accepted).toHaveLength(7);
    for (const { at } of accepted)
      expect(Date.parse(at) - Date.parse(refused.at)).toBeGreaterThanOrEqual(
        3_000,
      );
  });

  const creates = async () =>
    (await stand.stats()).requests.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/responses'),
    );
});
