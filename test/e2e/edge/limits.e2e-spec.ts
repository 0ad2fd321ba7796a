import { createHash } from 'node:crypto';
import { all, type Client, type Reply } from '../../support/client';
import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const KEYS = '/admin/api/keys';
const RUNS = '/api/v1/tool-invocations';
const CHAT = '/api/v1/chat';
const HOUR = 3_600_000;
const SCOPES = ['chat', 'research', 'tools:*', 'read'];
const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');

describe('limits of a key', () => {
  let stand: Stand;
  let admin: Client;
  let neighbour: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      researchMs: HOUR,
      env: {
        RELAY_REQUIRE_KEYS: 'true',
        RELAY_API_KEYS: `legacy:${sha256('the-legacy-key')}`,
        RELAY_KEY_LIMITS: 'unfinished_runs:3',
        RELAY_REDIS_MAX_MEMORY_MB: '64',
      },
    });
    const { body } = await keysCommand(
      { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' },
      'create',
      'root',
      '--scopes',
      'admin',
    );
    admin = stand.client().as(body.key);
    neighbour = (await make({})).here;
  });
  afterAll(() => stand.stop());

  /** A caller with these limits, at both processes. */
  const make = async (limits: object) => {
    const body = { name: 'limited', scopes: SCOPES, limits };
    const { id, key } = (await admin.post(KEYS, body)).body;
    return {
      here: stand.client().as(key),
      there: stand.client(1).as(key),
      set: (changed: object) =>
        admin.request('PATCH', `${KEYS}/${id}`, { body: { limits: changed } }),
    };
  };
  const alarm = (caller: Client) =>
    caller.post(RUNS, {
      tool_name: 'set_alarm',
      arguments: {
        message: 'Later',
        time: new Date(Date.now() + HOUR).toISOString(),
      },
    });
  const expectLimit = ({ status, headers, body }: Reply, limit: string) => {
    expect({ status, body }).toMatchObject({
      status: 429,
      body: { code: 'rate_limited', limit, 'violated-policies': [limit] },
    });
    expect(body.detail).toContain(limit);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  };
  const research = (caller: Client) => caller.research({ background: true });

  it('requests_per_minute is one bucket for all processes, shown in headers, and no one else’s', async () => {
    const { here, there, set } = await make({ requests_per_minute: 2 });
    const first = await here.get(RUNS);
    expect(first.headers.get('ratelimit-policy')).toMatch(
      /^"requests_per_minute";q=2;w=60, "body_bytes_per_minute";q=\d+;w=60;qu="content-bytes"$/,
    );
    expect(first.headers.get('ratelimit')).toMatch(
      /^"requests_per_minute";r=1;t=30, "body_bytes_per_minute";r=\d+;t=0$/,
    );
    expect((await there.get(RUNS)).status).toBe(200);
    for (const caller of [here, there]) {
      const refused = await caller.get(RUNS);
      expectLimit(refused, 'requests_per_minute');
      expect(refused.headers.get('ratelimit')).toContain(
        `"requests_per_minute";r=0;t=${refused.headers.get('retry-after')}`,
      );
    }
    expect((await neighbour.get(RUNS)).status).toBe(200);
    expect((await set({ requests_per_minute: null })).status).toBe(200);
    for (const caller of [here, there])
      await until(
        'the limit of requests to be lifted',
        async (saw) => saw(await caller.get(RUNS)).status === 200,
      );
  });

  it('body_bytes_per_minute counts declared and undeclared bytes, and refuses for good what is more than all of it', async () => {
    const { here } = await make({ body_bytes_per_minute: 1_000 });
    const message = (length: number) => ({ message: 'x'.repeat(length) });
    expect((await here.post(CHAT, message(500))).status).toBe(200);
    expectLimit(await here.post(CHAT, message(900)), 'body_bytes_per_minute');
    const chunked = await fetch(here.url + CHAT, {
      method: 'POST',
      headers: { ...here.headers, 'content-type': 'application/json' },
      body: new Blob([JSON.stringify(message(900))]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(429);
    const never = await here.post(CHAT, message(1_100));
    expect(never).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
    expect((await here.get(RUNS)).status).toBe(200);
  });

  it('research_per_minute refuses research alone', async () => {
    const { here, there, set } = await make({ research_per_minute: 1 });
    const { body } = await research(here);
    expectLimit(await research(there), 'research_per_minute');
    expect((await alarm(here)).body.status).toBe('completed');
    await here.request('DELETE', `${RUNS}/${body.invocation_id}`);
    await set({ research_per_minute: null });
    await until(
      'the limit of research to be lifted',
      async (saw) => saw(await research(there)).status === 202,
    );
  });

  it('unfinished_runs has room again after an end and after a removal, and holds for configured keys too', async () => {
    const { here, there, set } = await make({ unfinished_runs: 1 });
    const first = await here.submit();
    for (const caller of [here, there])
      expectLimit(await research(caller), 'unfinished_runs');
    expect((await research(neighbour)).status).toBe(202);
    await first.cancel();
    const second = await until(
      'room for a run after a cancellation',
      async (saw) => {
        const reply = saw(await research(there));
        return reply.status === 202 && reply.body.invocation_id;
      },
    );
    expectLimit(await research(here), 'unfinished_runs');
    await here.request('DELETE', `${RUNS}/${second}`);
    await until(
      'room for a run after a removal',
      async (saw) => saw(await research(here)).status === 202,
    );
    await set({ unfinished_runs: 2 });
    await until(
      'room for a second run',
      async (saw) => saw(await research(there)).status === 202,
    );

    const legacy = stand.client().as('the-legacy-key');
    const runs = [];
    for (let n = 0; n < 3; n += 1) runs.push(await legacy.submit());
    expectLimit(await research(legacy), 'unfinished_runs');
    for (const run of runs) await run.remove();
  });

  it('of many submissions at once, over both processes, exactly as many pass as there is room for', async () => {
    const { here, there } = await make({ unfinished_runs: 5 });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => research(n % 2 ? here : there)),
    );
    const accepted = replies.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(5);
    for (const reply of replies.filter((one) => !accepted.includes(one)))
      expectLimit(reply, 'unfinished_runs');
    for (const { body } of accepted)
      await here.request('DELETE', `${RUNS}/${body.invocation_id}`);
  });

  it('parked_alarms makes setting one fail, until another is gone', async () => {
    const limits = { parked_alarms: 1, unfinished_runs: 5 };
    const { here } = await make(limits);
    const idIn = (text: string) => JSON.parse(text).alarm_id as string;
    const set: string[] = [];
    // A worker knows the limit after about a second.
    const refused = await until('an alarm to be refused', async (saw) => {
      const { body } = saw(await alarm(here));
      if (body.status === 'completed') set.push(idIn(body.output_text));
      return body.status === 'failed' && body;
    });
    expect(refused.error.code).toBe('rate_limited');
    expect(set.length).toBeGreaterThan(0);
    for (const id of set) await here.request('DELETE', `${RUNS}/${id}`);
    const next = await until('room for an alarm', async (saw) => {
      const { body } = saw(await alarm(here));
      return body.status === 'completed' && body;
    });
    await here.request('DELETE', `${RUNS}/${idIn(next.output_text)}`);
  });

  it('stored_bytes counts what was accepted', async () => {
    const { here, set } = await make({ stored_bytes: 1_000 });
    const args = { research_question: 'why? '.repeat(150), background: true };
    const first = await here.research(args);
    expect(first.status).toBe(202);
    await here.request('DELETE', `${RUNS}/${first.body.invocation_id}`);
    expectLimit(await here.research(args), 'stored_bytes');
    await set({ stored_bytes: null });
    await until(
      'the limit of stored bytes to be lifted',
      async (saw) => saw(await here.research(args)).status === 202,
    );
  });

  it('followers counts open event streams of all processes, by key, token and ticket', async () => {
    const { here, there } = await make({ followers: 1 });
    const run = await here.submit();
    const abort = new AbortController();
    const open = run.events(undefined, abort.signal);
    await open.next();
    const { ticket } = (await here.post(`${run.path}/ticket`)).body;
    const events = `${run.path}/events`;
    expectLimit(await there.get(events), 'followers');
    const anonymous = stand.client(1);
    expectLimit(await anonymous.get(events, run.headers), 'followers');
    expectLimit(await anonymous.get(`${events}?ticket=${ticket}`), 'followers');
    abort.abort();
    await all(open).catch(() => undefined);
    await run.remove();
    const next = await here.submit();
    await next.cancel();
    await until('room for a follower', async (saw) => {
      const { status } = saw(await there.get(`${next.path}/events`));
      return status === 200;
    });
  });

  it('with Redis nearly full submissions are refused, reads go on, and room is noticed', async () => {
    const { here } = await make({});
    const run = await here.submit();
    await stand.redis.call('SETRANGE', 'filler', String(64 * 2 ** 20), 'x');
    const refused = await until(
      'a submission to be refused for lack of storage',
      async (saw) => {
        const reply = saw(
          await here.post(CHAT, { message: 'Hi', background: true }),
        );
        return reply.status === 503 && reply;
      },
    );
    expect(refused.body).toMatchObject({
      code: 'capacity_exceeded',
      detail: 'The storage is nearly full.',
    });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await here.get(run.path)).status).toBe(200);
    await stand.redis.call('DEL', 'filler');
    await until('room in the storage to be noticed', async (saw) => {
      const reply = saw(
        await here.post(CHAT, { message: 'Hi', background: true }),
      );
      return reply.status === 202;
    });
    expect((await run.remove()).status).toBe(204);
  });

  it('during an outage of Redis a read that needs none goes on, and what would be counted is refused', async () => {
    const { here } = await make({});
    expect((await here.get('/api/v1/tools')).status).toBe(200);
    await stand.redis.down();
    expect((await here.get('/api/v1/tools')).status).toBe(200);
    const refused = await here.post(CHAT, { message: 'Hello' });
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'queue_unavailable' },
    });
    await stand.redis.up();
    await until('a chat to be accepted after the outage', async (saw) => {
      const { status } = saw(await here.post(CHAT, { message: 'Hello' }));
      return status === 200;
    });
  });
});
