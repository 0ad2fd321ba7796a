import { all, type Frame, joined } from '../../support/client';
import { Stand } from '../../support/processes/stand';

/** Every event log has consecutive ids, one last event, and the whole text once. */
function expectCompleteLog(
  frames: Frame[],
  record: { output_text: string },
): void {
  expect(frames.map(({ id }) => Number(id))).toEqual(
    frames.map((_, i) => i + 1),
  );
  expect(
    frames.filter(({ event }) => ['completed', 'error'].includes(event)),
  ).toHaveLength(1);
  expect(frames.at(-1)!.event).toBe('completed');
  expect(joined(frames)).toBe(record.output_text);
}

describe('two API processes and two workers on one Redis', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      workers: 2,
      researchMs: 1_500,
    });
  });
  afterAll(() => stand.stop());

  it('either process returns what was submitted to the other', async () => {
    const invocation = await stand.client(0).submit();
    const elsewhere = invocation.through(stand.client(1));
    const frames = await all(elsewhere.events());
    const record = await elsewhere.read();
    expect(record.status).toBe('completed');
    expectCompleteLog(frames, record);
  });

  it('a stream resumes at the other process without a lost or duplicate event', async () => {
    const invocation = await stand.client(0).submit();
    const first: Frame[] = [];
    for await (const frame of invocation.events()) {
      first.push(frame);
      if (frame.event === 'output_text') break;
    }
    const rest = await all(
      invocation.through(stand.client(1)).events(first.at(-1)!.id),
    );
    expectCompleteLog([...first, ...rest], await invocation.read());
  });

  it('a cancellation through the other process stops the run, at the upstream as well', async () => {
    const before = await stand.stats();
    await stand.fault({ kind: 'pause', fraction: 0.5 });
    const invocation = await stand.client(0).submit();
    const elsewhere = invocation.through(stand.client(1));
    for await (const { event } of elsewhere.events())
      if (event === 'progress') break;
    const reply = await elsewhere.cancel();
    expect(reply.status).toBe(202);
    expect(await invocation.wait()).toMatchObject({
      status: 'cancelled',
      error: { code: 'cancelled' },
    });
    expect((await stand.stats()).cancels).toBe(before.cancels + 1);
    expect((await stand.stats()).in_flight).toBe(0);
    expect((await all(elsewhere.events())).at(-1)).toMatchObject({
      event: 'error',
      data: { data: { code: 'cancelled' } },
    });
  });

  it('after a worker is killed, the run continues with the same upstream response', async () => {
    const invocation = await stand.client(0).submit();
    const frames: Frame[] = [];
    const killed: number[] = [];
    for await (const frame of invocation
      .through(stand.client(1))
      .follow([stand.client(1)])) {
      frames.push(frame);
      if (frame.event !== 'output_text' || killed.length > 0) continue;
      // One of the two owns the run; the other has nothing to lose.
      const victim = stand.workers.pop()!;
      killed.push(victim.pid);
      const ended = victim.stop('SIGKILL');
      await stand.addWorker();
      await stand.workers.shift()!.stop('SIGKILL');
      await ended;
      await stand.expireLeases(invocation);
      await stand.addWorker();
    }
    const record = await invocation.read();
    expect(record.status).toBe('completed');
    expect((await stand.stats()).creates_by_invocation[invocation.id]).toBe(1);
    expectCompleteLog(frames, record);
  });

  it('a worker that shuts down hands its active run to another', async () => {
    const invocation = await stand.client(0).submit();
    for await (const { event } of invocation.events())
      if (event === 'progress') break;
    const before = stand.workers.splice(0);
    await stand.addWorker();
    await Promise.all(
      before.map(async (worker) => expect(await worker.stop()).toBe(0)),
    );
    await stand.addWorker();
    const record = await invocation.wait();
    expect(record.status).toBe('completed');
    expect((await stand.stats()).creates_by_invocation[invocation.id]).toBe(1);
    expectCompleteLog(await all(invocation.events()), record);
  });

  it('an API process that shuts down ends its event streams, so that they resume elsewhere', async () => {
    const api = await stand.addApi();
    const shuttingDown = stand.client(2);
    const invocation = await shuttingDown.submit();
    const first: Frame[] = [];
    for await (const frame of invocation.events()) {
      first.push(frame);
      if (first.length === 2) api.signal('SIGTERM');
    }
    expect(await api.end()).toBe(0);
    stand.apis.pop();
    const rest = await all(
      invocation.through(stand.client(0)).events(first.at(-1)!.id),
    );
    expectCompleteLog(
      [...first, ...rest],
      await invocation.through(stand.client(0)).read(),
    );
  });
});

describe('200 concurrent invocations', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ apis: 2, workers: 2, researchMs: 2_000 });
  });
  afterAll(() => stand.stop());

  it('all complete, each purchased once, with a complete event log', async () => {
    const invocations = await Promise.all(
      Array.from({ length: 200 }, (_, i) => stand.client(i % 2).submit()),
    );
    const logs = await Promise.all(
      invocations.map((invocation) => all(invocation.events())),
    );
    const records = await Promise.all(
      invocations.map((invocation) => invocation.read()),
    );
    expect(records.map(({ status }) => status)).toEqual(
      records.map(() => 'completed'),
    );
    logs.forEach((frames, i) => expectCompleteLog(frames, records[i]));
    const { creates_by_invocation } = await stand.stats();
    expect(invocations.map(({ id }) => creates_by_invocation[id])).toEqual(
      invocations.map(() => 1),
    );
  });
});
