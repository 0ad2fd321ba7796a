import type { Invocation } from '../support/client';
import { doctor } from '../support/processes/doctor';
import { Stand } from '../support/processes/stand';
import { expectCompletedRun } from '../support/completed-run';
import { until } from '../support/until';
import { waitForEnd } from '../support/event-log';

const CREATE = { method: 'POST', path: '/responses' };
const POLL = { method: 'GET', path: '/responses/' };
const DAYS_115 = 9_999_999;

/** Without a fault, and without a cooldown that one has caused. */
async function calm(stand: Stand): Promise<void> {
  await stand.reset();
  for (const name of ['o3-deep-research', 'asking'])
    await stand.redis.call('DEL', `sonde:brake:${name}`);
}

describe('an endpoint that asks to wait', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      env: { RELAY_RESEARCH_TIMEOUT_SECONDS: '300' },
    });
  });
  afterEach(() => calm(stand));
  afterAll(() => stand.stop());

  const posts = async () =>
    (await stand.stats()).requests.filter(
      ({ method, path }) => method === 'POST' && path === '/responses',
    ).length;

  it.each([
    [503, 'slow_down', 'upstream_overloaded'],
    [429, 'rate_limit_exceeded', 'upstream_rate_limited'],
  ])(
    'for 115 days by a %i: a run with less time ends with a code, after one request',
    async (status, said, code) => {
      await stand.fault({
        kind: 'status',
        status,
        code: said,
        retry_after: DAYS_115,
        match: CREATE,
        count: 0,
      });
      const record = await waitForEnd(await stand.client().submit());
      expect(record).toMatchObject({ status: 'failed', error: { code } });
      expect(await posts()).toBe(1);
    },
  );

  it('for 115 days: all other runs of the model wait at most ten minutes, a cooldown that the doctor shows and ends', async () => {
    await stand.fault({
      kind: 'status',
      status: 429,
      retry_after: DAYS_115,
      match: CREATE,
    });
    await waitForEnd(await stand.client().submit());
    const left = await stand.redis.call('PTTL', 'sonde:brake:o3-deep-research');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(600_000);
    // Its remaining time is shorter.
    expect(await waitForEnd(await stand.client().submit())).toMatchObject({
      status: 'failed',
      error: { code: 'upstream_rate_limited', retryable: true },
    });
    expect(await posts()).toBe(1);
    const seen = await doctor(stand.env);
    expect(seen.lines.join('\n')).toMatch(
      /The model endpoint asked for a pause, which is in effect \(1\): o3-deep-research until \d{4}-/,
    );
    expect(seen.code).not.toBe(0);
    await doctor(stand.env, '--fix');
    await expectCompletedRun(stand, await stand.client().submit());
  });

  it('for 115 days when a run is polled: polling continues', async () => {
    await stand.fault({ kind: 'cut', after_events: 6 });
    await stand.fault({
      kind: 'status',
      status: 429,
      retry_after: DAYS_115,
      match: POLL,
    });
    const invocation = await stand.client().submit();
    const left = await until('the pause of all workers', async (saw) => {
      const ms = saw(await stand.redis.call('PTTL', 'sonde:brake:asking'));
      return Number(ms) > 0 && Number(ms);
    });
    expect(left).toBeLessThanOrEqual(60_000);
    await invocation.cancel();
    await waitForEnd(invocation);
  });
});

describe('a run that waits for the endpoint', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ workers: 0 });
  });
  afterEach(async () => {
    await Promise.all(
      stand.workers.splice(0).map((one) => one.stop('SIGKILL')),
    );
    await calm(stand);
  });
  afterAll(() => stand.stop());

  /** The first of its events that reports the wait. */
  const wait = async (invocation: Invocation) => {
    for await (const { event, data } of invocation.events())
      if (event === 'progress' && data.data.kind === 'waiting')
        return data.data;
    throw new Error('It never reported the wait.');
  };

  it('reports it when the endpoint limits requests', async () => {
    await stand.addWorker();
    await stand.fault({
      kind: 'status',
      status: 429,
      retry_after: 61,
      match: CREATE,
    });
    const first = await stand.client().submit();
    const limited =
      /^The model endpoint is limiting requests; the next try is in \d+ s$/;
    expect((await wait(first)).detail).toMatch(limited);
    expect((await first.read()).progress.last_step).toMatch(limited);
    // A run that was not rejected itself waits as well.
    const second = await stand.client().submit();
    expect((await wait(second)).detail).toMatch(limited);
    for (const one of [first, second]) await one.cancel();
  });

  it('reports it when the endpoint cannot be reached', async () => {
    await stand.addWorker({ LITELLM_BASE_URL: 'http://127.0.0.1:1' });
    const invocation = await stand.client().submit();
    const unavailable =
      /^The model endpoint cannot be reached; the next try is in/;
    expect((await wait(invocation)).detail).toMatch(unavailable);
    await stand.addWorker();
    await stand.workers.shift()!.stop();
    const record = await waitForEnd(invocation);
    expect(record.status).toBe('completed');
    expect(record.progress.last_step).not.toMatch(unavailable);
  });

  it('reports it once, however often it retries within a minute', async () => {
    await stand.addWorker();
    await stand.fault({
      kind: 'status',
      status: 503,
      code: 'slow_down',
      retry_after_ms: 600,
      match: CREATE,
      count: 3,
    });
    const invocation = await stand.client().submit();
    const waits = [];
    for await (const { event, data } of invocation.events())
      if (event === 'progress' && data.data.kind === 'waiting')
        waits.push(data.data.detail);
    expect(waits).toEqual([
      'The model endpoint is failing; the next try is in 1 s',
    ]);
    await expectCompletedRun(stand, invocation);
  });
});
