import { all, type Client } from '../support/client';
import { ClusterFleet } from '../support/redis/redis-cluster';
import { Stand } from '../support/processes/stand';
import { expectCompletedRun } from '../support/completed-run';

const QUEUE = '{sonde}:research:id';

describe('on a Cluster of three nodes', () => {
  let fleet: ClusterFleet;
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    fleet = await ClusterFleet.start();
    stand = await Stand.start({
      researchMs: 300,
      env: {
        REDIS_URL: fleet.url,
        RESEARCH_MODEL_LIMITS: '*:4',
      },
    });
    client = stand.client();
  });
  afterAll(async () => {
    await stand.stop();
    await fleet.stop();
  });

  it('research runs on whichever node holds its record', async () => {
    const invocations = await Promise.all(
      Array.from({ length: 12 }, () => client.submit()),
    );
    for (const invocation of invocations)
      await expectCompletedRun(stand, invocation);
  });

  it('a chat with research runs', async () => {
    const { body } = await client.post('/api/v1/chat', {
      message: 'Research the history of kimchi in detail',
    });
    expect(body).toMatchObject({ tool_called: true });
    expect(body.research_summary).toMatch(/kimchi/i);
  });

  it('an idempotency key is one submission', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await client.research({}, headers);
    const second = await client.research({}, headers);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body.invocation_id).toBe(first.body.invocation_id);
  });

  it('cancellation reaches the upstream, and deletion removes the record', async () => {
    await stand.fault({ kind: 'slow', ms: 60_000 });
    const invocation = await client.submit();
    for await (const { event } of invocation.events())
      if (event === 'status') break;
    await invocation.cancel();
    expect((await all(invocation.events())).at(-1)!.event).toBe('error');
    expect((await invocation.read()).status).toBe('cancelled');
    expect((await invocation.remove()).status).toBe(204);
    expect((await invocation.reply()).status).toBe(404);
    expect((await stand.stats()).in_flight).toBe(0);
  });

  it.each(['the run', 'the queue'])(
    'a run continues when the slot of %s moves to another node',
    async (what) => {
      await stand.fault({ kind: 'slow', ms: 5_000 });
      const invocation = await client.submit();
      for await (const { event } of invocation.events())
        if (event === 'progress') break;
      const key =
        what === 'the queue' ? QUEUE : `sonde:{${invocation.id}}:record`;
      const before = await fleet.keysBeside(key);
      await fleet.move(key);
      const after = await fleet.keysBeside(key);
      expect(after.findIndex(Boolean)).not.toBe(before.findIndex(Boolean));
      await expectCompletedRun(stand, invocation);
      await expectCompletedRun(stand, await client.submit());
    },
  );
});
