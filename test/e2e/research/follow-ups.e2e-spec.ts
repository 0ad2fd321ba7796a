import { startAgentStand } from '../../support/agent/agent-stand';
import type { Client } from '../../support/client';
import type { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

describe('research that follows up another', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await startAgentStand();
    await stand.addWorker();
    client = stand.client();
  });
  afterAll(() => stand.stop());

  const ended = async (args: object) => {
    const run = await client.submit(args as Record<string, unknown>);
    expect((await run.wait()).status).toBe('completed');
    return run;
  };
  const depthOf = async ({ id }: { id: string }) =>
    stand.redis.call('HGET', `sonde:{${id}}:record`, 'depth');

  it('is linked with it both ways, and goes as deep', async () => {
    const parent = await ended({ depth: 'quick', engine: 'agent' });
    const previous_invocation_id = parent.id;
    const child = await ended({ previous_invocation_id });
    expect(await child.read()).toMatchObject({
      parent: parent.id,
      follow_ups: [],
      engine: 'agent',
    });
    expect(await depthOf(child)).toBe('quick');
    const other = await ended({ previous_invocation_id, depth: 'standard' });
    expect(await depthOf(other)).toBe('standard');
    expect(await parent.read()).toMatchObject({
      parent: null,
      follow_ups: [child.id, other.id],
    });
    const past = await stand.redis.call(
      'ZRANGE',
      'sonde:past:{all}:agent:quick',
      '0',
      '-1',
    );
    expect(past).toEqual([
      expect.stringMatching(`^${parent.id} \\d+ `),
      expect.stringMatching(`^${child.id} \\d+ `),
    ]);
    await child.remove();
    expect((await parent.read()).follow_ups).toEqual([other.id]);
    await parent.remove();
    await other.remove();
    expect((await parent.reply()).status).toBe(404);
  });

  it('waits for a worker where none is connected, and the record says so', async () => {
    await stand.killWorkers();
    const run = await client.submit({ depth: 'quick' });
    await until(
      'it to wait for a worker',
      async (saw) => saw(await run.read()).waiting_for === 'worker',
    );
    await stand.addWorker();
    const record = await run.wait();
    expect(record).toMatchObject({ status: 'completed', waiting_for: null });
  });

  it('waits for an approval of its plan, and the record says so', async () => {
    const run = await client.submit({ plan: 'review' });
    await until(
      'its plan to wait',
      async (saw) => saw(await run.read()).status === 'requires_action',
    );
    expect((await run.read()).waiting_for).toBe('approval');
    await run.cancel();
    expect((await run.wait()).waiting_for).toBeNull();
  });
});
