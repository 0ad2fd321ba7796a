import { createHash } from 'node:crypto';
import type { Client, Invocation } from '../support/client';
import { keysCommand } from '../support/processes/keys-command';
import { Stand } from '../support/processes/stand';
import { until } from '../support/until';

const KEY = 'the-key-of-alice';
const HASH = createHash('sha256').update(KEY).digest('hex');

describe('while Redis refuses whatever takes memory', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 20,
      env: { RELAY_API_KEYS: `alice:${HASH}` },
    });
    client = stand.client().as(KEY);
  });
  afterEach(async () => {
    await memory(0);
    await stand.configure({ research_ms: 20 });
  });
  afterAll(() => stand.stop());

  const memory = (bytes: number) =>
    stand.redis.call('CONFIG', 'SET', 'maxmemory', String(bytes));
  const used = async (): Promise<number> => {
    const info = String(await stand.redis.call('INFO', 'memory'));
    return Number(/used_memory:(\d+)/.exec(info)![1]);
  };
  /** Once the service has seen that there is room, which it looks for every second. */
  const accepted = (): Promise<Invocation> =>
    until('a run to be accepted', async (saw) => {
      const { status, body } = saw(await client.research({ background: true }));
      return (
        status === 202 &&
        client.invocation(body.invocation_id, body.invocation_token)
      );
    });
  const contentsOf = async ({ id }: Invocation): Promise<unknown[]> => {
    const keys = ['log', 'text', 'journal'].map(
      (part) => `sonde:{${id}}:${part}`,
    );
    const all = keys.map((key) => stand.redis.call('EXISTS', key));
    return Promise.all(all);
  };

  it('records of ended runs are deleted, and make the room that this needs', async () => {
    const run = await accepted();
    await run.wait();
    const text = 'x'.repeat(2_000_000);
    await stand.redis.call('APPEND', `sonde:{${run.id}}:text`, text);
    await memory((await used()) - 1_000_000);
    expect((await run.remove()).status).toBe(204);
    expect((await run.reply()).status).toBe(404);
    expect(await contentsOf(run)).toEqual([0, 0, 0]);
  });

  it('an operator looks at a run, and ends it with a reason', async () => {
    const { body } = await keysCommand(
      { REDIS_URL: stand.redis.url },
      'create',
      'root',
      '--scopes',
      'admin',
    );
    const admin = stand.client().as(body.key);
    await stand.configure({ research_ms: 600_000 });
    const run = await accepted();
    const one = `/admin/api/runs/${run.id}`;
    await until(
      'a worker to have it',
      async (saw) => saw(await admin.get(one)).body.status === 'running',
    );
    await memory(1);
    expect((await admin.get(one)).status).toBe(200);
    const reason = 'Redis is full.';
    expect((await admin.post(`${one}/cancel`, { reason })).status).toBe(202);
    expect(await run.wait()).toMatchObject({
      status: 'cancelled',
      cancel_reason: reason,
    });
  });

  it('runs are stopped, and with them what they cost', async () => {
    await stand.configure({ research_ms: 600_000 });
    const [cancelled, removed] = [await accepted(), await accepted()];
    for (const { id } of [cancelled, removed])
      await until('the run to be purchased', async (saw) => {
        const { creates_by_invocation: creates } = saw(await stand.stats());
        return creates[id] === 1;
      });
    const { cancels } = await stand.stats();
    await memory(1);
    expect((await cancelled.cancel()).status).toBeLessThan(300);
    expect((await removed.remove()).status).toBe(204);
    await until(
      'both to be stopped at the endpoint',
      async (saw) => saw(await stand.stats()).cancels === cancels + 2,
    );
    await memory(0);
    expect((await cancelled.wait()).status).toBe('cancelled');
    expect((await removed.reply()).status).toBe(404);
  });
});
