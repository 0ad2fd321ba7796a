import { all, type Client, type Invocation } from '../../support/client';
import { expectProblem } from '../../support/problem';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';
import { expectWholeLog } from '../../support/whole-log';

const RESEARCH = '/api/v1/tool-invocations';
const away = { status: 503, code: 'queue_unavailable' };

describe('while Redis is away', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 300,
      env: { RESEARCH_LEASE_SECONDS: '1' },
    });
    client = stand.client();
  });
  afterAll(() => stand.stop());

  /** The first submission that is accepted again. */
  const accepted = (): Promise<Invocation> =>
    until(() => client.submit().catch(() => undefined));

  /** A run whose progress is known here, and who follows and awaits it. */
  async function inFlight() {
    const invocation = await client.submit();
    const followed = all(invocation.events());
    const awaited = invocation.wait();
    for await (const { event } of invocation.events())
      if (event === 'progress') break;
    return { invocation, followed, awaited };
  }

  const upstreamIsDone = () =>
    until(async () => (await stand.stats()).in_flight === 0);

  async function expectBoughtOnce({
    invocation,
    followed,
    awaited,
  }: Awaited<ReturnType<typeof inFlight>>): Promise<void> {
    const record = await awaited;
    expect(record.status).toBe('completed');
    expectWholeLog(await followed, record);
    expect((await stand.stats()).creates_by_invocation[invocation.id]).toBe(1);
  }

  it('refuses work at once, says when to come back, and goes on when it is there again', async () => {
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
      expectProblem(reply, away);
      expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    await stand.redis.up();
    expect((await (await accepted()).wait()).status).toBe('completed');
    expect((await invocation.read()).status).toBe('completed');
  });

  it('still chats, and says of a research only that it failed', async () => {
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

  it('loses no run, no follower and no wait', async () => {
    const run = await inFlight();
    await stand.redis.down();
    await upstreamIsDone();
    await stand.redis.up();
    await expectBoughtOnce(run);
  });

  it('starts an API, which refuses until it is there', async () => {
    await stand.redis.down();
    await stand.addApi();
    const late = stand.client(1);
    expectProblem(await late.research(), away);
    await stand.redis.up();
    const invocation = await until(() => late.submit().catch(() => undefined));
    expect((await invocation.wait()).status).toBe('completed');
  });

  it('starts a worker, which works as soon as it is there', async () => {
    const invocation = await accepted();
    await invocation.wait();
    await stand.workers.pop()!.stop('SIGKILL');
    await stand.redis.down();
    const worker = Service.spawn('worker', stand.env);
    stand.workers.push(worker);
    await worker.says(/Redis cannot be reached/);
    await stand.redis.up();
    await worker.says(/Sonde is working/);
    expect((await (await accepted()).wait()).status).toBe('completed');
  });

  describe('for want of memory', () => {
    const memory = (limit: number) =>
      stand.redis.call('CONFIG', 'SET', 'maxmemory', String(limit));

    it('refuses work and leaves nothing half done', async () => {
      await (await accepted()).wait();
      const before = await stand.redis.dump('sonde:*');
      await memory(1);
      for (const reply of [
        await client.research(),
        await client.research({}, { 'idempotency-key': 'b' }),
      ]) {
        expectProblem(reply, away);
        expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
      await memory(0);
      expect(await stand.redis.dump('sonde:*')).toBe(before);
      const reply = await client.research({}, { 'idempotency-key': 'b' });
      expect(reply.body.status).toBe('completed');
      expect(reply.headers.has('idempotent-replayed')).toBe(false);
    });

    it('loses no run, and buys none again', async () => {
      const run = await inFlight();
      await memory(1);
      await upstreamIsDone();
      await memory(0);
      await expectBoughtOnce(run);
    });
  });

  it('has told of each outage in a line of the log, without an address', () => {
    for (const { output } of [...stand.apis, ...stand.workers]) {
      expect(output).toMatch(/Redis cannot be reached/);
      expect(output).not.toMatch('redis.sock');
      for (const line of output.trim().split('\n')) JSON.parse(line);
    }
  });

  it('keeps its listings and its other routes as they were', async () => {
    expect((await client.get(RESEARCH)).status).toBe(200);
    expect((await client.get('/api/v1/tools')).body.tools).toContainEqual(
      expect.objectContaining({ name: 'deep_research' }),
    );
  });
});
