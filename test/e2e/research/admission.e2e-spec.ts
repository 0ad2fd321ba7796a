import type { Invocation } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const CREATE = { method: 'POST', path: '/responses' };

/** A research that the upstream goes on with until it is cancelled. */
const ENDLESS = { kind: 'stay', status: 'in_progress', count: 0 };

describe('two workers that may have two runs of a model at once', () => {
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
    until(async () => (await stand.stats()).in_flight === count);
  const occupy = async (): Promise<Invocation[]> => {
    await stand.fault(ENDLESS);
    const both = [await submit(), await submit()];
    await running(2);
    return both;
  };

  it('never have more, and finish all in the order of their submission', async () => {
    const submitted: Invocation[] = [];
    for (let n = 0; n < 8; n += 1) submitted.push(await submit());
    const most: number[] = [];
    await until(async () => {
      const { in_flight, creates } = await stand.stats();
      most.push(in_flight);
      return creates === 8 && in_flight === 0;
    });
    const records = await Promise.all(submitted.map((one) => one.wait()));
    expect(Math.max(...most)).toBeLessThanOrEqual(2);
    expect(records.map(({ status }) => status)).toEqual(
      records.map(() => 'completed'),
    );
    const begun = records.map(({ started_at }) => Date.parse(started_at));
    // The two that have a place at once begin in any order.
    for (let n = 2; n < begun.length; n += 1)
      expect(begun[n]).toBeGreaterThanOrEqual(begun[n - 2]);
  });

  it('tell those that wait their place, the urgent in front', async () => {
    const [first] = await occupy();
    const low = await submit('low');
    const normal = await submit();
    const high = await submit('high');
    const waiting = [high, normal, low];
    expect(await Promise.all(waiting.map(positionOf))).toEqual([1, 2, 3]);
    expect(await positionOf(first)).toBeNull();
    await first.cancel();
    await until(async () => (await high.read()).status === 'running');
    expect(await Promise.all(waiting.map(positionOf))).toEqual([null, 1, 2]);
    await Promise.all([...waiting, first].map((one) => one.cancel()));
  });

  it('say in the events of one that waits that it does', async () => {
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
    await until(async () => (await third.read()).status === 'running');
    await third.cancel();
    await running(0);
  });

  it('give the place of one that is cancelled in the line to the next', async () => {
    const [first, second] = await occupy();
    const [third, fourth] = [await submit(), await submit()];
    expect((await third.cancel()).body.status).toBe('cancelled');
    expect(await positionOf(fourth)).toBe(1);
    await first.cancel();
    await until(async () => (await fourth.read()).status === 'running');
    await Promise.all([second, fourth].map((one) => one.cancel()));
    await running(0);
  });

  it('keep a place for a run whose worker is killed, and for nobody else', async () => {
    const both = await occupy();
    const third = await submit();
    const [worker] = stand.workers.splice(0, 1);
    await worker.stop('SIGKILL');
    await stand.addWorker();
    expect(await positionOf(third)).toBe(1);
    expect((await stand.stats()).in_flight).toBe(2);
    await Promise.all(both.map((one) => one.cancel()));
    await until(async () => (await third.read()).status === 'running');
    await third.cancel();
  });
});

describe('two workers of which one is told to slow down', () => {
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
    await until(async () => (await creates()).length === 1);
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
