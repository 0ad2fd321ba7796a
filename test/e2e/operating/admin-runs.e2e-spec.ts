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

  it.each(['', '%20', 'x'])(
    'is refused for an age that is no number: "%s"',
    async (age) => {
      expectProblem(await admin.get(`${RUNS}?min_age_seconds=${age}`), {
        status: 422,
        code: 'validation_failed',
        paths: ['min_age_seconds'],
      });
    },
  );

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

  it('is where one run is and which worker has it, and it can be ended: on the record of who did', async () => {
    await stand.configure({ research_ms: 600_000 });
    const run = await alice.submit({ research_question: SECRET });
    const one = `${RUNS}/${run.id}`;
    const detail = await until('a worker to have it', async (saw) => {
      const { body } = saw(await admin.get(one));
      return body.worker !== null && body.upstream_response_id && body;
    });
    expect(detail).toMatchObject({
      id: run.id,
      key: 'alice',
      status: 'running',
      priority: 'normal',
      stage: expect.stringMatching(/^[a-z_]+$/),
      last_event_at: expect.any(String),
      due_at: null,
      attempts: 1,
      takeovers: 0,
      purchases: 1,
      claims: 1,
      workers_lost: 0,
      cancel_requested: false,
    });
    expect(detail.age_seconds).toBeGreaterThanOrEqual(0);
    const at = (time: string) => Date.parse(time);
    expect(at(detail.deadline_at)).toBeGreaterThan(at(detail.started_at));
    expect(at(detail.lease_expires_at)).toBeGreaterThan(at(detail.started_at));
    expect(stand.workers[0].output).toContain(`"worker":"${detail.worker}"`);
    expect(JSON.stringify(detail)).not.toContain(SECRET);

    const refused = { status: 403, code: 'insufficient_scope' };
    expectProblem(await alice.get(one), refused);
    expectProblem(await bob.post(`${one}/cancel`, {}), refused);
    for (const reason of ['', 7, 'x'.repeat(501)])
      expectProblem(await admin.post(`${one}/cancel`, { reason }), {
        status: 422,
        code: 'validation_failed',
        paths: ['reason'],
      });
    const reason = 'The endpoint is being replaced.';
    const { status } = await admin.post(`${one}/cancel`, { reason });
    expect(status).toBe(202);
    expect(await run.wait()).toMatchObject({
      status: 'cancelled',
      cancel_reason: reason,
    });
    const { log } = await until('the log to have its end', async (saw) => {
      const { body } = saw(await admin.get(one));
      return body.log.at(-1).text.startsWith('ended') && body;
    });
    expect(log).toEqual(
      [
        `claimed worker=${detail.worker}`,
        'purchased',
        expect.stringMatching(/^ended cancelled code=cancelled /),
      ].map((text) => ({ at: expect.stringMatching(/^\d{4}-.*Z$/), text })),
    );
    const again = await admin.post(`${one}/cancel`);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      status: 'cancelled',
      worker: null,
      lease_expires_at: null,
      cancel_requested: false,
      cancel_reason: reason,
      waiting_for: null,
      kept: false,
      expires_at: expect.any(String),
    });
    await stand.apis[0].waitForOutput(/Run cancelled by an administrator/);
    const lines = stand.apis[0].output
      .split('\n')
      .filter((line) => line.includes('by an administrator'))
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      expect.objectContaining({
        id: run.id,
        key: 'alice',
        by: 'root',
        by_account: expect.stringMatching(/^[0-9a-z_]+$/i),
        time: expect.any(String),
      }),
    ]);
  });

  it('is in the order and of the age and engine that are asked for', async () => {
    await stand.configure({ research_ms: 50 });
    const first = await alice.submit({ research_question: SECRET });
    const second = await bob.submit({ research_question: SECRET });
    await Promise.all([first.wait(), second.wait()]);
    const oldest = idsIn(await list('order=oldest&limit=100'));
    expect(oldest).toEqual(idsIn(await list('limit=100')).reverse());
    expect(oldest.slice(-2)).toEqual([first.id, second.id]);
    const paged: string[] = [];
    let cursor = '';
    do {
      const page = await list(
        `order=oldest&limit=3${cursor && `&cursor=${cursor}`}`,
      );
      paged.push(...idsIn(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(paged).toEqual(oldest);
    expect(idsIn(await list('engine=hosted&limit=100'))).toContain(first.id);
    expect(idsIn(await list('engine=agent'))).toEqual([]);
    expect(idsIn(await list('min_age_seconds=3600'))).toEqual([]);
    expect(idsIn(await list('min_age_seconds=0&limit=100'))).toContain(
      first.id,
    );
    for (const query of ['order=random', 'min_age_seconds=-1', 'engine=A!'])
      expectProblem(await admin.get(`${RUNS}?${query}`), {
        status: 422,
        code: 'validation_failed',
        paths: [query.split('=')[0]],
      });
  });

  it('has a run that waits, and a chat; none that it does not know', async () => {
    await stand.replaceWorkers();
    const [worker] = stand.workers.splice(0);
    await worker.stop();
    const { body: chat } = await alice.post('/api/v1/chat', {
      message: SECRET,
      background: true,
    });
    const one = `${RUNS}/${chat.chat_id}`;
    const { body } = await admin.get(one);
    expect(body).toMatchObject({
      kind: 'chat',
      status: 'queued',
      attempts: null,
      takeovers: 0,
      purchases: null,
      claims: 0,
      worker: null,
      deadline_at: null,
      log: [],
    });
    expect((await admin.post(`${one}/cancel`, {})).body.status).toBe(
      'cancelled',
    );
    for (const id of ['inv_0', 'x', `inv_${'0'.repeat(32)}`]) {
      const missing = { status: 404, code: 'invocation_not_found' };
      expectProblem(await admin.get(`${RUNS}/${id}`), missing);
      expectProblem(await admin.post(`${RUNS}/${id}/cancel`, {}), missing);
    }
    expectProblem(await admin.get(`${RUNS}/chat_${'0'.repeat(32)}`), {
      status: 404,
      code: 'chat_not_found',
    });
    await stand.addWorker();
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
