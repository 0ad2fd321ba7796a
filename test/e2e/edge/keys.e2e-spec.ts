import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { LIMITS } from '../../../src/config/settings/key-limits';
import { all, type Client, type Frame, Invocation } from '../../support/client';
import { expectProblem } from '../../support/problem';
import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';
import { expireKey } from '../../support/redis/expiry';
import { until } from '../../support/until';

const KEYS = '/admin/api/keys';
const RUNS = '/api/v1/tool-invocations';
const CHAT = '/api/v1/chat';
const HOUR = 3_600_000;
const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');
const wrong = { status: 401, code: 'invalid_api_key' };
const gone = { status: 403, code: 'api_key_removed' };

interface Issued {
  id: string;
  key: string;
}
type Operation = { 'x-required-scopes'?: string[] };

/** A key for every route but those of one scope, by the scopes of these routes. */
const LACKING: Record<string, string[]> = {
  chat: ['research', 'tools:*', 'read', 'admin'],
  read: ['chat', 'research', 'tools:*', 'admin'],
  admin: ['chat', 'research', 'tools:*', 'read'],
  research: ['chat', 'tools:*', 'read', 'admin'],
  'research or tools:<name>': ['chat', 'read', 'admin'],
};

describe('a service with stored keys', () => {
  let stand: Stand;
  let anonymous: Client;
  let admin: Client;
  let other: Client;
  let commands: Record<string, string>;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      researchMs: 100,
      env: {
        RELAY_REQUIRE_KEYS: 'true',
        RELAY_API_KEYS: `legacy:${sha256('the-legacy-key')}`,
        RELAY_ADMIN_USER: 'ops',
        RELAY_ADMIN_PASSWORD: 'pass',
      },
    });
    anonymous = stand.client();
    other = stand.client(1);
    commands = { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' };
    const { code, body, errors } = await keysCommand(
      commands,
      'create',
      'root',
      '--scopes',
      'admin',
    );
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    admin = anonymous.as(body.key);
  });
  afterAll(() => stand.stop());

  const make = async (
    name: string,
    scopes: string[],
    more: object = {},
  ): Promise<Issued> => {
    const reply = await admin.post(KEYS, { name, scopes, ...more });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    return reply.body;
  };
  const revoke = ({ id }: Issued, body: object = {}) =>
    admin.post(`${KEYS}/${id}/revoke`, body);
  const statusIn = async (id: string) =>
    String(await stand.redis.call('HGET', `sonde:{${id}}:record`, 'status'));
  /** From another address of the loopback, so that failures count there. */
  const statusFrom = (
    localAddress: string,
    method: string,
    path: string,
    authorization: string,
  ) =>
    new Promise<{ status: number; retryAfter?: string }>((resolve, reject) => {
      const { hostname, port } = new URL(anonymous.url);
      const headers = { authorization };
      request(
        { hostname, port, path, method, headers, localAddress },
        (reply) => {
          reply.resume();
          const retryAfter = reply.headers['retry-after'];
          resolve({ status: reply.statusCode!, retryAfter });
        },
      )
        .on('error', reject)
        .end();
    });

  it('every route names its scope, and is closed without a key, with a revoked or an expired one, and with one that lacks the scope', async () => {
    const full = ['chat', 'research', 'tools:*', 'read', 'admin'];
    const reader = await make('matrix', ['read']);
    const { body } = await anonymous.as(reader.key).get('/openapi.json');
    const paths = body.paths as Record<string, Record<string, Operation>>;
    const routes = Object.entries(paths)
      .filter(([path]) => !path.startsWith('/health/'))
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]) => ({
          method: method.toUpperCase(),
          path: path.replace(/\{\w+\}/g, '0'),
          scopes: operation['x-required-scopes'] ?? [],
        })),
      );
    expect(routes.length).toBeGreaterThan(25);
    expect(routes.filter(({ scopes }) => scopes.length === 0)).toEqual([]);

    const lacking = new Map<string, Client>();
    for (const [scope, scopes] of Object.entries(LACKING))
      lacking.set(scope, anonymous.as((await make('matrix', scopes)).key));
    const revoked = await make('other', full);
    expect((await revoke(revoked)).body.status).toBe('revoked');
    const expiring = await make('other', full, {
      expires_at: new Date(Date.now() + HOUR).toISOString(),
    });
    await expireKey(stand.redis, expiring.id);
    const { body: expired } = await admin.get(`${KEYS}/${expiring.id}`);
    expect(expired.status).toBe('expired');
    await until('the process to know it', async (saw) => {
      const { status } = await anonymous.as(expiring.key).get(RUNS);
      return saw(status) === 401;
    });
    let address = 1;
    for (const { method, path, scopes } of routes) {
      const named = scopes.join(' or ');
      const reply = await lacking.get(named)!.request(method, path);
      expectProblem(reply, { status: 403, code: 'insufficient_scope' });
      expect(reply.body.detail).toContain(named);
      const { status } = await anonymous.request(method, path);
      expect([401, 403, 404]).toContain(status);
      address += 1;
      for (const { key } of [revoked, expiring])
        expect(
          await statusFrom(`127.0.1.${address}`, method, path, `Bearer ${key}`),
        ).toMatchObject({ status: 401 });
    }
  });

  it('a key with the scope of a tool starts no other, neither itself nor through a chat or an alarm', async () => {
    const { key } = await make('narrow', ['chat', 'tools:set_alarm', 'read']);
    const narrow = anonymous.as(key);
    const research = await narrow.research({ background: true });
    expectProblem(research, { status: 403, code: 'insufficient_scope' });
    expect(research.body.detail).toMatch('scope research');
    const question = '짜장면의 역사를 자세히 알려줘';
    const listed = (await narrow.get('/api/v1/tools')).body.tools;
    expect(listed.map(({ name }: { name: string }) => name)).toEqual([
      'set_alarm',
    ]);

    const replies = [(await narrow.post(CHAT, { message: question })).body];
    const args = {
      message: 'Later',
      time: new Date(Date.now() + HOUR).toISOString(),
      follow_up: question,
    };
    const message = `[sandbox: call set_alarm ${JSON.stringify(args)}]`;
    const setting = (await narrow.post(CHAT, { message })).body;
    expect(setting.tool_calls).toMatchObject([{ status: 'completed' }]);
    const alarms = `${RUNS}?tool_name=alarm`;
    const [{ invocation_id: id }] = (await narrow.get(alarms)).body.data;
    await stand.comeDue({ id });
    const inBackground = await narrow.post(CHAT, {
      message: question,
      background: true,
    });
    const path = `${CHAT}/${inBackground.body.chat_id}`;
    replies.push((await narrow.settled(path)).body);
    for (const reply of replies) {
      expect(reply.content).toMatch(/\S/);
      expect(reply.tool_calls).toEqual([]);
    }
    const rung = await until('the alarm to be completed', async (saw) => {
      const { body } = saw(await narrow.get(alarms));
      return body.data[0]?.status === 'completed' && body.data[0];
    });
    expect(rung.output_text).toMatch(/^Later\n\n\S/);
    expect((await stand.stats()).creates).toBe(0);
  });

  it('a key of RELAY_API_KEYS may do all but administrate', async () => {
    const legacy = anonymous.as('the-legacy-key');
    expect((await legacy.submit()).id).toMatch('inv_');
    expect((await legacy.get('/api/v1/tools')).status).toBe(200);
    const refused = await legacy.get(KEYS);
    expectProblem(refused, { status: 403, code: 'insufficient_scope' });
  });

  it('rotated, a key keeps its caller, and its text before stays valid for the overlap', async () => {
    const first = await make('rotating', ['research', 'read']);
    const headers = { 'idempotency-key': 'once' };
    const args = { background: true };
    const before = await anonymous.as(first.key).research(args, headers);
    const second = (await admin.post(`${KEYS}/${first.id}/rotate`, {})).body;
    expect(second.overlap_until).toMatch(/Z$/);
    // In the other process too, at once.
    const after = await other.as(second.key).research(args, headers);
    expect(after.headers.get('idempotent-replayed')).toBe('true');
    expect(after.body.invocation_id).toBe(before.body.invocation_id);
    expect((await anonymous.as(first.key).get(RUNS)).body.data).toHaveLength(1);
    expect((await other.as(first.key).get(RUNS)).body.data).toHaveLength(1);

    const rotate = `${KEYS}/${first.id}/rotate`;
    const third = (await admin.post(rotate, { overlap_seconds: 0 })).body;
    expect((await other.as(third.key).get(RUNS)).status).toBe(200);
    expectProblem(await anonymous.as(second.key).get(RUNS), wrong);
    // The overlap of the first text has not ended.
    expect((await anonymous.as(first.key).get(RUNS)).status).toBe(200);
  });

  it('several administrators at once lose no change', async () => {
    const { id, key } = await make('contended', ['read']);
    const rotated = await Promise.all(
      Array.from({ length: 4 }, () => admin.post(`${KEYS}/${id}/rotate`, {})),
    );
    for (const text of [key, ...rotated.map(({ body }) => body.key)])
      expect((await anonymous.as(text).get(RUNS)).status).toBe(200);
    const revoked = await Promise.all([
      revoke({ id, key }),
      revoke({ id, key }, { runs: 'cancel' }),
      admin.post(`${KEYS}/${id}/rotate`, {}),
    ]);
    expect(revoked.slice(0, 2).map(({ status }) => status)).toEqual([200, 200]);
    const late = await admin.post(`${KEYS}/${id}/rotate`, {});
    expectProblem(late, { status: 409, code: 'api_key_revoked' });
    expectProblem(await anonymous.as(key).get(RUNS), wrong);
    const unknown = await admin.post(`${KEYS}/${'0'.repeat(16)}/revoke`, {});
    expectProblem(unknown, { status: 404, code: 'api_key_not_found' });
  });

  it('revoked, a key ends with its streams, tickets, tokens and alarms; its runs are finished or cancelled by choice', async () => {
    await stand.configure({ research_ms: HOUR });
    const scopes = ['research', 'tools:*', 'read'];
    for (const runs of ['finish', 'cancel']) {
      const key = await make(`leaving-${runs}`, scopes);
      const caller = anonymous.as(key.key);
      const run = await caller.submit();
      const held = new Invocation(caller, run.id, '');
      const { ticket } = (await caller.post(`${run.path}/ticket`)).body;
      const alarm = await caller.post(RUNS, {
        tool_name: 'set_alarm',
        arguments: {
          message: 'Late',
          time: new Date(Date.now() + HOUR).toISOString(),
        },
      });
      const { alarm_id } = JSON.parse(alarm.body.output_text);
      const streams = [
        held,
        run.through(anonymous),
        held.through(other.as(key.key)),
      ].map(async (one) => {
        const frames = one.events();
        const first = await frames.next();
        return { first, rest: all(frames).catch(() => 'cut') };
      });
      const open = await Promise.all(streams);

      expect((await revoke(key, { runs })).body.status).toBe('revoked');
      expectProblem(await caller.get(run.path), wrong);
      expectProblem(await run.through(anonymous).reply(), gone);
      const byTicket = `${run.path}/events?ticket=${ticket}`;
      expectProblem(await anonymous.get(byTicket), gone);
      const [own, ofToken, elsewhere] = open.map(({ rest }) => rest);
      expect([await own, await ofToken]).toEqual(['cut', 'cut']);
      // Another process may see the end of the run before it knows of the revocation.
      const end = await elsewhere;
      if (runs === 'finish') expect(end).toBe('cut');
      else if (end !== 'cut')
        expect((end as Frame[]).at(-1)).toMatchObject({
          event: 'error',
          data: { status: 'cancelled' },
        });
      await until(
        'the other process to know of the revocation',
        async (saw) => {
          const { body } = saw(await other.get(run.path, run.headers));
          return body.code === 'api_key_removed';
        },
      );
      await until(
        'the alarm to be cancelled',
        async (saw) => saw(await statusIn(alarm_id)) === 'cancelled',
      );
      if (runs === 'cancel')
        await until(
          'the run to be cancelled',
          async (saw) => saw(await statusIn(run.id)) === 'cancelled',
        );
      else expect(await statusIn(run.id)).not.toBe('cancelled');
    }
  });

  it('a name with another valid key keeps its runs', async () => {
    const [leaked, kept] = [
      await make('two', ['research', 'read']),
      await make('two', ['read']),
    ];
    const run = await anonymous.as(leaked.key).submit();
    await revoke(leaked);
    expectProblem(await anonymous.as(leaked.key).get(RUNS), wrong);
    expect((await anonymous.as(kept.key).get(run.path)).status).toBe(200);
    expect((await run.through(anonymous).reply()).status).toBe(200);
  });

  it('the command makes, lists, rotates and revokes keys, by the rules of the API', async () => {
    const command = (...args: string[]) => keysCommand(commands, ...args);
    const budget = ['--budget', 'day_usd:0.5', '--weight', '3'];
    const scopes = ['--scopes', 'read,tools:*'];
    const made = await command('create', 'shell', ...scopes, ...budget);
    expect(made.body).toMatchObject({ budget: { day_usd: 0.5 }, weight: 3 });
    expect(made.body.key).toMatch(/^sk_sonde_[0-9a-f]{16}_[0-9a-f]{64}$/);
    const { id, key } = made.body as Issued;
    expect((await other.as(key).get(RUNS)).status).toBe(200);
    const limits = ['--limits', 'followers:5', '--precedence', 'true'];
    const more = [...limits, '--weight', 'none', '--expires', 'none'];
    expect((await command('update', id, ...more)).body).toMatchObject({
      limits: { followers: 5 },
      budget: { day_usd: 0.5 },
      weight: null,
      precedence: true,
      expires_at: null,
    });
    const rotated = await command('rotate', id, '--overlap', '0');
    expect((await other.as(rotated.body.key).get(RUNS)).status).toBe(200);
    const keys = (await admin.get(KEYS)).body;
    expect((await command('list')).body).toEqual(keys);
    expect(keys.data[0]).toMatchObject({ id, name: 'shell', status: 'active' });
    expect(JSON.stringify(keys)).not.toMatch(/[0-9a-f]{64}/);
    expect((await command('revoke', id)).body.status).toBe('revoked');
    const holder = other.as(rotated.body.key);
    await until('the revoked key to be refused', async (saw) => {
      // A request that is under way when the key ends is cut.
      const reply = saw(await holder.get(RUNS).catch(() => undefined));
      return reply?.status === 401;
    });
    const refused = await Promise.all([
      command('create', 'two words', '--scopes', 'write'),
      command('rotate', id),
      command('update', id, '--limits', 'followers:many'),
      command('drop'),
    ]);
    for (const reply of refused)
      expect(reply).toMatchObject({
        code: 1,
        errors: expect.stringMatching(/^[^\n]{5,200}\n/),
      });
  });

  it('settings of a key are set, changed, removed and shown, and every fault is named by its field', async () => {
    const limits = Object.fromEntries(LIMITS.map((name) => [name, 1_000]));
    const budget = { day_usd: 0.5, month_usd: 10 };
    const given = { limits, budget, weight: 7, precedence: true };
    const { id, key } = await make('settled', ['read'], given);
    const path = `${KEYS}/${id}`;
    const patch = (body: unknown) => admin.request('PATCH', path, { body });
    expect((await admin.get(path)).body).toMatchObject(given);
    const changed = await patch({
      limits: { followers: null, unfinished_runs: 5 },
      budget: null,
      weight: null,
      precedence: false,
      scopes: ['read', 'chat', 'read'],
      expires_at: '2099-01-01T00:00:00Z',
    });
    const { followers: _, ...others } = limits;
    expect(changed).toMatchObject({
      status: 200,
      body: {
        limits: { ...others, unfinished_runs: 5 },
        budget: null,
        weight: null,
        precedence: false,
        scopes: ['read', 'chat'],
        expires_at: '2099-01-01T00:00:00.000Z',
      },
    });
    expect(changed.body.limits).not.toHaveProperty('followers');
    expect((await patch({})).body).toEqual(changed.body);
    const removed = await patch({ limits: null, expires_at: null });
    expect(removed.body).toMatchObject({ limits: null, expires_at: null });
    // Scopes act at once in this process, and soon in the other.
    await patch({ scopes: ['chat'] });
    const refusal = { status: 403, code: 'insufficient_scope' };
    expectProblem(await anonymous.as(key).get(RUNS), refusal);
    await until(
      'the other process to know of the new scopes',
      async (saw) => saw(await other.as(key).get(RUNS)).status === 403,
    );

    const bad = await patch({
      limits: { requests_per_hour: 1, followers: 0, stored_bytes: '9' },
      budget: { day_usd: -1, year_usd: 1 },
      weight: 101,
      precedence: 'yes',
      scopes: null,
      name: 'other',
    });
    expectProblem(bad, {
      status: 422,
      code: 'validation_failed',
      paths: [
        'limits.requests_per_hour',
        'limits.followers',
        'limits.stored_bytes',
        'budget.day_usd',
        'budget.year_usd',
        'weight',
        'precedence',
        'scopes',
        'name',
      ],
    });
    const past = await patch({ expires_at: '2001-01-01T00:00:00Z' });
    const fault = { status: 422, code: 'validation_failed' };
    expectProblem(past, { ...fault, paths: ['expires_at'] });
    const unknown = await admin.request('PATCH', `${KEYS}/${'0'.repeat(16)}`, {
      body: { weight: 1 },
    });
    expectProblem(unknown, { status: 404, code: 'api_key_not_found' });
    await revoke({ id, key });
    const late = await patch({ weight: 1 });
    expectProblem(late, { status: 409, code: 'api_key_revoked' });
  });

  it('no text of a key is in Redis, in a log or in a listing', async () => {
    const { key } = await make('silent', ['research', 'read']);
    const secret = key.slice(-64);
    const run = await anonymous.as(key).submit();
    await anonymous.as(key).get(`${RUNS}?cursor=${key}`);
    const seen = [
      await stand.redis.dump(),
      (await admin.get(KEYS)).body,
      await run.reply(),
      ...[...stand.apis, ...stand.workers].map(({ output }) => output),
    ];
    expect(JSON.stringify(seen)).not.toContain(secret);
    expect(JSON.stringify(seen)).toContain(sha256(key));
  });

  it('wrong keys and passwords of an address are slowed down, and valid keys are not', async () => {
    const { key } = await make('busy', ['read']);
    const right = `Bearer ${key}`;
    const basic = (text: string) => `Basic ${btoa(text)}`;
    const BOARD = '/admin/queues';
    for (const [address, path, authorization] of [
      ['127.0.2.1', RUNS, 'Bearer guess'],
      [
        '127.0.2.2',
        RUNS,
        `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? 1 : 0}`,
      ],
      ['127.0.2.3', BOARD, basic('ops:guess')],
    ]) {
      const statuses = new Set<number>();
      let last: string | undefined;
      for (let n = 0; n < 32; n += 1) {
        const reply = await statusFrom(address, 'GET', path, authorization);
        statuses.add(reply.status);
        last = reply.retryAfter;
      }
      expect([...statuses]).toEqual([401, 429]);
      expect(Number(last)).toBeGreaterThan(0);
      expect(await statusFrom(address, 'GET', RUNS, right)).toMatchObject({
        status: 200,
      });
    }
    const password = basic('ops:pass');
    const from = (address: string) =>
      statusFrom(address, 'GET', BOARD, password);
    expect(await from('127.0.2.3')).toMatchObject({ status: 429 });
    expect(await from('127.0.2.4')).toMatchObject({ status: 200 });
  });

  it('during an outage of Redis known keys are still valid, and others are refused as unavailable', async () => {
    const { key } = await make('steady', ['read']);
    const tools = '/api/v1/tools';
    expect((await other.as(key).get(tools)).status).toBe(200);
    // Once the other process holds it in its memory, an outage changes nothing.
    await stand.redis.down();
    const unknown = key.replace(/_[0-9a-f]{16}_/, `_${'0'.repeat(16)}_`);
    await until('an unknown key to be refused as unavailable', async (saw) => {
      const { status } = saw(await anonymous.as(unknown).get(tools));
      return status === 503;
    });
    expect((await anonymous.as(key).get(tools)).status).toBe(200);
    expectProblem(await anonymous.as('not-a-key').get(tools), wrong);
    await stand.redis.up();
    await until('an unknown key to be refused as wrong', async (saw) => {
      const { status } = saw(await anonymous.as(unknown).get(tools));
      return status === 401;
    });
  });
});
