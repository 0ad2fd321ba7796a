import type { Client, Invocation } from '../support/client';
import { expectProblem } from '../support/problem';
import { doctor } from '../support/processes/doctor';
import { Stand } from '../support/processes/stand';
import { expectCompletedRun } from '../support/completed-run';
import { until } from '../support/until';

const ROOM_BYTES = 400 * 1024;
const QUESTION = 'x'.repeat(30_000);

const unavailable = { status: 503, code: 'queue_unavailable' };

/** Submits until Redis has no room left. Returns the acknowledged submissions, and the rejection. */
async function fill(client: Client) {
  const acknowledged: Invocation[] = [];
  for (;;) {
    const reply = await client.research({
      research_question: QUESTION,
      background: true,
    });
    if (reply.status !== 202) return { acknowledged, reply };
    const { invocation_id, invocation_token } = reply.body;
    acknowledged.push(client.invocation(invocation_id, invocation_token));
  }
}

/** Submits as soon as Redis accepts it. */
const submit = (client: Client): Promise<Invocation> =>
  until('a submission to be accepted', () =>
    client.submit().catch(() => undefined),
  );

const storageOf = async (client: Client) =>
  (await client.get('/health/ready')).body.checks.storage;

/** Records are still served, so the process is not taken out of rotation. */
async function expectNamed(stand: Stand, client: Client): Promise<void> {
  const { status, body } = await client.get('/health/ready');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'degraded',
    checks: {
      redis: { status: 'ok' },
      storage: { detail: expect.stringMatching(/^disk_error: .*MISCONF/) },
    },
  });
  await stand.apis[0].waitForOutput(/"Redis accepts no writes: .*MISCONF/);
  const { lines } = await doctor(stand.env);
  expect(lines.slice(0, 2)).toEqual([
    'Redis',
    expect.stringMatching(/MISCONF/),
  ]);
}

describe('a Redis whose disk is full (appendfsync everysec)', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      workers: 0,
      redis: { appendfsync: 'everysec', roomBytes: ROOM_BYTES },
    });
  });
  afterAll(() => stand.stop());

  it('causes a clear rejection without side effects', async () => {
    const client = stand.client();
    const { acknowledged, reply } = await fill(client);
    expectProblem(reply, unavailable);
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await expectNamed(stand, client);
    // The last submission may have failed midway; its partial writes are then rolled back as soon as possible.
    const before = await stand.redis.dump('sonde:*');
    const keys: Record<string, string>[] = [{}, { 'idempotency-key': 'full' }];
    for (const headers of keys)
      expectProblem(
        await client.research({ background: true }, headers),
        unavailable,
      );
    expect(await stand.redis.dump('sonde:*')).toBe(before);
    for (const invocation of acknowledged)
      expect((await invocation.read()).status).toBe('queued');
    stand.redis.makeRoom();
    const last = await submit(client);
    await until(
      'health to be well',
      async (saw) => saw(await storageOf(client)).status === 'ok',
    );
    await stand.addWorker();
    for (const invocation of [...acknowledged, last])
      await expectCompletedRun(stand, invocation);
    await until(
      'all runs to be settled',
      async (saw) =>
        saw(await stand.redis.call('ZCARD', 'sonde:unfinished')) === 0,
    );
  });
});

describe('a Redis whose disk fills up during a run', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 2_000,
      redis: { appendfsync: 'everysec', roomBytes: ROOM_BYTES },
    });
  });
  afterAll(() => stand.stop());

  it('leaves the run unaffected', async () => {
    const client = stand.client();
    const invocation = await client.submit();
    for await (const { event } of invocation.events())
      if (event === 'progress') break;
    const { acknowledged } = await fill(client);
    await until(
      'nothing to be in flight at the endpoint',
      async (saw) => saw(await stand.stats()).in_flight === 0,
    );
    stand.redis.makeRoom();
    for (const each of [invocation, ...acknowledged])
      await expectCompletedRun(stand, each);
  });
});

describe('a Redis whose disk is full (appendfsync always)', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      workers: 0,
      redis: { appendfsync: 'always', roomBytes: ROOM_BYTES },
    });
  });
  afterAll(() => stand.stop());

  it('exits rather than acknowledge what it cannot store, and has everything acknowledged after it returns', async () => {
    const client = stand.client();
    const { acknowledged, reply } = await fill(client);
    expectProblem(reply, unavailable);
    await stand.redis.ended();
    await stand.redis.up({ roomBytes: undefined });
    const last = await submit(client);
    await stand.addWorker();
    for (const invocation of [...acknowledged, last])
      await expectCompletedRun(stand, invocation);
  });
});
