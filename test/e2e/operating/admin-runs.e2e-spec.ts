import type { Client } from '../../support/client';
import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';
import { expectProblem } from '../../support/problem';
import { until } from '../../support/until';

const RUNS = '/admin/api/runs';
const SECRET = 'zebra-crossing-question';

describe('what an administrator sees of the runs of all keys', () => {
  let stand: Stand;
  let admin: Client;
  let alice: Client;
  let bob: Client;

  beforeAll(async () => {
    stand = await Stand.start({ env: { RELAY_REQUIRE_KEYS: 'true' } });
    const { body } = await keysCommand(
      { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' },
      'create',
      'root',
      '--scopes',
      'admin',
    );
    admin = stand.client().as(body.key);
    alice = await user('alice');
    bob = await user('bob');
  });
  afterAll(() => stand.stop());

  const user = async (name: string): Promise<Client> => {
    const scopes = ['chat', 'research', 'tools:*', 'read'];
    const { body } = await admin.post('/admin/api/keys', { name, scopes });
    return stand.client().as(body.key);
  };
  const list = async (query = '') => {
    const { status, body } = await admin.get(`${RUNS}?${query}`);
    expect(status).toBe(200);
    return body;
  };
  const idsIn = ({ data }: { data: { id: string }[] }) =>
    data.map(({ id }) => id);

  it('is their kind, key, status and cost, newest first, page by page: never what they ask', async () => {
    const ids: string[] = [];
    for (const client of [alice, bob, alice, bob]) {
      const run = await client.submit({ research_question: SECRET });
      ids.unshift(run.id);
    }
    const { body: chat } = await alice.post('/api/v1/chat', {
      message: SECRET,
      background: true,
    });
    ids.unshift(chat.chat_id);
    await until(
      'all runs to be listed as completed',
      async (saw) =>
        saw(await list('status=completed')).data.length === ids.length,
    );
    const all = await list('limit=100');
    expect(idsIn(all)).toEqual(ids);
    expect(all).toMatchObject({ has_more: false, next_cursor: null });
    expect(all.data.slice(0, 2)).toEqual([
      expect.objectContaining({ kind: 'chat', tool_name: '', key: 'alice' }),
      {
        kind: 'invocation',
        id: ids[1],
        tool_name: 'deep_research',
        key: 'bob',
        status: 'completed',
        engine: 'hosted',
        model: expect.any(String),
        error_code: null,
        spent_usd: null,
        queue_position: null,
        created_at: expect.any(String),
        started_at: expect.any(String),
        completed_at: expect.any(String),
      },
    ]);
    expect(JSON.stringify(all)).not.toContain(SECRET);
    expect(idsIn(await list('key=bob'))).toEqual([ids[1], ids[3]]);
    expect(idsIn(await list('key=unknown'))).toEqual([]);
    const paged: string[] = [];
    let cursor = '';
    do {
      const page = await list(`limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...idsIn(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(paged).toEqual(ids);
  });

  it('has what failed by its code, and what goes on by its key', async () => {
    await stand.fault({ kind: 'failed', count: 1 });
    const failing = await alice.submit({ research_question: SECRET });
    const { error } = await failing.wait();
    expect(idsIn(await list(`code=${error.code}`))).toEqual([failing.id]);
    expect(idsIn(await list('status=failed'))).toEqual([failing.id]);

    await stand.configure({ research_ms: 600_000 });
    const first = await alice.submit({ research_question: SECRET });
    const second = await bob.submit({ research_question: SECRET });
    expect(idsIn(await list('status=unfinished'))).toEqual([
      second.id,
      first.id,
    ]);
    const { status, body } = await admin.get(`${RUNS}/unfinished`);
    expect(status).toBe(200);
    expect(body.omitted).toBe(0);
    const sums = body.data.map(
      (one: { key: string; queued: number; running: number }) => [
        one.key,
        one.queued + one.running,
      ],
    );
    expect(sums.sort()).toEqual([
      ['alice', 1],
      ['bob', 1],
    ]);
    await Promise.all([first.cancel(), second.cancel()]);
    await until(
      'no unfinished run to be listed',
      async (saw) => saw(await list('status=unfinished')).data.length === 0,
    );
  });

  it('is closed to other keys and to what it does not know', async () => {
    const refused = { status: 403, code: 'insufficient_scope' };
    expectProblem(await alice.get(RUNS), refused);
    expectProblem(await alice.get(`${RUNS}/unfinished`), refused);
    expectProblem(await admin.get(`${RUNS}?limit=101&status=maybe`), {
      status: 422,
      code: 'validation_failed',
    });
  });
});
