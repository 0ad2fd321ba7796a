import { opened, type Client, type Invocation } from '../support/client';
import { expectProblem } from '../support/problem';
import { Service } from '../support/processes/service';
import { Stand } from '../support/processes/stand';
import { until } from '../support/until';
import { expectCompleteLog } from '../support/event-log';

const RESEARCH = '/api/v1/tool-invocations';
const unavailable = { status: 503, code: 'queue_unavailable' };

describe('while Redis is unavailable', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 300,
    });
    client = stand.client();
  });
  afterAll(() => stand.stop());

  /** The first submission that is accepted again. */
  const accepted = (): Promise<Invocation> =>
    until('a submission to be accepted again', (saw) =>
      client.submit().catch((error: unknown) => {
        saw(error);
        return undefined;
      }),
    );

  /** A run with known progress, one follower and one waiting request. */
  async function inFlight() {
    const invocation = await client.submit();
    const followed = await opened(invocation.events());
    const awaited = invocation.wait();
    for await (const { event } of invocation.events())
      if (event === 'progress') break;
    return { invocation, followed, awaited };
  }

  const upstreamIsDone = () =>
    until(
      'the upstream to have nothing in flight',
      async (saw) => saw(await stand.stats()).in_flight === 0,
    );

  async function expectPurchasedOnce({
    invocation,
    followed,
    awaited,
  }: Awaited<ReturnType<typeof inFlight>>): Promise<void> {
    const record = await awaited;
    expect(record.status).toBe('completed');
    expectCompleteLog(await followed.all, record);
    expect((await stand.stats()).creates_by_invocation[invocation.id]).toBe(1);
  }

  it('the API rejects work at once with a retry time, and recovers with Redis', async () => {
    const invocation = await client.submit();
    await invocation.wait();
    await stand.redis.down();
    for (const reply of [
      await client.research(),
      await client.research({ background: true }, { 'idempotency-key': 'a' }),
      await client.get(invocation.path, invocation.headers),
      await client.get(`${invocation.path}/events`, invocation.headers),
      await invocation.cancel(),
      await invocation.remove(),
    ]) {
      expectProblem(reply, unavailable);
      expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    await stand.redis.up();
    expect((await (await accepted()).wait()).status).toBe('completed');
    expect((await invocation.read()).status).toBe('completed');
  });

  it('chats still work, and report only that their research failed', async () => {
    await stand.redis.down();
    const greeting = await client.post('/api/v1/chat', { message: 'hello' });
    expect(greeting.body).toMatchObject({
      content: expect.stringMatching(/./),
      tool_called: false,
    });
    const research = await client.post('/api/v1/chat', {
      message: 'Research the history of kimchi in detail',
    });
    expect(research).toMatchObject({
      status: 200,
      body: { research_summary: 'deep_research failed. Please retry later.' },
    });
    await stand.redis.up();
    await accepted();
  });

  it('no run, no follower and no waiting request is lost', async () => {
    const run = await inFlight();
    await stand.redis.down();
    await upstreamIsDone();
    await stand.redis.up();
    await expectPurchasedOnce(run);
  });

  it('an API starts, and rejects work until Redis is available', async () => {
    await stand.redis.down();
    await stand.addApi();
    const late = stand.client(1);
    expectProblem(await late.research(), unavailable);
    await stand.redis.up();
    const invocation = await until(
      'the late API to accept a submission',
      (saw) =>
        late.submit().catch((error: unknown) => {
          saw(error);
          return undefined;
        }),
    );
    expect((await invocation.wait()).status).toBe('completed');
  });

  it('a worker starts, and works as soon as Redis is available', async () => {
    const invocation = await accepted();
    await invocation.wait();
    await stand.workers.pop()!.stop('SIGKILL');
    await stand.redis.down();
    const worker = Service.spawn('worker', stand.env);
    stand.workers.push(worker);
    await worker.waitForOutput(/Redis cannot be reached/);
    await stand.redis.up();
    await worker.waitForOutput(/Sonde is working/);
    expect((await (await accepted()).wait()).status).toBe('completed');
  });

  describe('out of memory', () => {
    const memory = (limit: number) =>
      stand.redis.call('CONFIG', 'SET', 'maxmemory', String(limit));

    it('the API rejects work without side effects', async () => {
      await (await accepted()).wait();
      // An ended run is settled a moment later.
      await until(
        'no run to be unfinished',
        async (saw) =>
          !saw(await stand.redis.call('EXISTS', 'sonde:unfinished')),
      );
      const before = await stand.redis.dump('sonde:*');
      await memory(1);
      for (const reply of [
        await client.research(),
        await client.research({}, { 'idempotency-key': 'b' }),
      ]) {
        // Redis refuses to write, or the service has seen before that there is no room.
        const { code } = reply.body;
        expect(['queue_unavailable', 'capacity_exceeded']).toContain(code);
        expectProblem(reply, { ...unavailable, code });
        expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
      expect((await client.get('/health/ready')).body).toMatchObject({
        status: 'degraded',
        checks: {
          redis: { status: 'ok' },
          storage: { detail: expect.stringMatching(/^memory_full: /) },
        },
      });
      await memory(0);
      expect(await stand.redis.dump('sonde:*')).toBe(before);
      // The service looks every second whether there is room.
      const reply = await until('work to be accepted again', async (saw) => {
        const found = await client.research({}, { 'idempotency-key': 'b' });
        return saw(found.status) !== 503 && found;
      });
      expect(reply.body.status).toBe('completed');
      expect(reply.headers.has('idempotent-replayed')).toBe(false);
    });

    it('no run is lost, and none is purchased again', async () => {
      const run = await inFlight();
      await memory(1);
      await upstreamIsDone();
      await memory(0);
      await expectPurchasedOnce(run);
    });
  });

  it('each outage is one log line, without an address', () => {
    for (const { output } of [...stand.apis, ...stand.workers]) {
      expect(output).toMatch(/Redis cannot be reached/);
      expect(output).not.toMatch('redis.sock');
      for (const line of output.trim().split('\n')) JSON.parse(line);
    }
  });

  it('listings and other routes are unaffected', async () => {
    expect((await client.get(RESEARCH)).status).toBe(200);
    expect((await client.get('/api/v1/tools')).body.tools).toContainEqual(
      expect.objectContaining({ name: 'deep_research' }),
    );
  });
});
