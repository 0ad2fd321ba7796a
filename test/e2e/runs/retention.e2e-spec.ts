import type { Client, Invocation } from '../../support/client';
import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';
import { expectProblem } from '../../support/problem';
import { until } from '../../support/until';

const LIST = '/api/v1/tool-invocations';
const DAY = 86_400_000;
const WEEK = 7 * DAY;

describe('how long records are kept', () => {
  let stand: Stand;
  let admin: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 20,
      env: { RELAY_REQUIRE_KEYS: 'true' },
    });
    const { body } = await keysCommand(
      { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' },
      'create',
      'root',
      '--scopes',
      'admin',
    );
    admin = stand.client().as(body.key);
  });
  afterAll(() => stand.stop());

  const make = async (name: string, settings: object = {}) => {
    const scopes = ['chat', 'research', 'tools:*', 'read'];
    const { status, body } = await admin.post('/admin/api/keys', {
      name,
      scopes,
      ...settings,
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    return { id: String(body.id), client: stand.client().as(body.key) };
  };
  const ended = async (client: Client): Promise<Invocation> => {
    const run = await client.submit();
    expect((await run.wait()).status).toBe('completed');
    return run;
  };
  const keep = (client: Client, { path }: Invocation, method = 'POST') =>
    client.request(method, `${path}/keep`);
  const lifetimes = async ({ id }: Invocation): Promise<number[]> => {
    const keys = (await stand.redis.call('KEYS', `sonde:{${id}}:*`)) as [];
    const left = keys.map((key) => stand.redis.call('PTTL', key));
    return (await Promise.all(left)).map(Number);
  };
  const bytesOf = async ({ id }: Invocation): Promise<number> => {
    const keys = (await stand.redis.call('KEYS', `sonde:{${id}}:*`)) as [];
    const each = keys.map((key) =>
      stand.redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'),
    );
    return (await Promise.all(each)).map(Number).reduce((sum, n) => sum + n);
  };
  const listed = async (client: Client) => {
    const { body } = await client.get(`${LIST}?limit=100`);
    return body.data.map((one: { invocation_id: string }) => one.invocation_id);
  };
  const keptFor = ({ completed_at, expires_at }: Record<string, string>) =>
    Date.parse(expires_at) - Date.parse(completed_at);
  const full = { status: 409, code: 'kept_limit_reached' };

  it('is a week, or what the key says, and not less than an hour', async () => {
    const { client } = await make('plain');
    expect(keptFor(await (await ended(client)).read())).toBe(WEEK);
    const brief = await make('brief', { retention_seconds: 3_600 });
    const run = await ended(brief.client);
    expect(keptFor(await run.read())).toBe(3_600_000);
    for (const left of await lifetimes(run))
      expect(left).toBeLessThanOrEqual(3_600_000);
    const { body } = await admin.get(`/admin/api/keys/${brief.id}`);
    expect(body.retention_seconds).toBe(3_600);
    const changed = await admin.request(
      'PATCH',
      `/admin/api/keys/${brief.id}`,
      { body: { retention_seconds: null } },
    );
    expect(changed.body.retention_seconds).toBeNull();
    for (const retention_seconds of [0, 3_599, 31_536_001, 1.5, 'long'])
      expectProblem(
        await admin.post('/admin/api/keys', {
          name: 'bad',
          scopes: ['read'],
          retention_seconds,
        }),
        {
          status: 422,
          code: 'validation_failed',
          paths: ['retention_seconds'],
        },
      );
  });

  it('is without an end for a record that is kept, and begins anew once it is let go', async () => {
    const { client } = await make('keeper');
    const run = await ended(client);
    expect(await run.read()).toMatchObject({ kept: false });
    for (const _ of [1, 2])
      expect(await keep(client, run)).toMatchObject({
        status: 200,
        body: { invocation_id: run.id, kept: true, expires_at: null },
      });
    expect(await run.read()).toMatchObject({ kept: true, expires_at: null });
    for (const left of await lifetimes(run)) expect(left).toBe(-1);
    const before = Date.now();
    for (const _ of [1, 2]) {
      const { status, body } = await keep(client, run, 'DELETE');
      expect({ status, kept: body.kept }).toEqual({ status: 200, kept: false });
      const leftMs = Date.parse(body.expires_at) - before;
      expect(leftMs).toBeGreaterThan(WEEK - DAY);
    }
    for (const left of await lifetimes(run)) expect(left).toBeGreaterThan(0);
  });

  it('has a place on the list for a kept record that the index has forgotten', async () => {
    const { client } = await make('lister');
    const first = await ended(client);
    await keep(client, first);
    await stand.redis.call('ZREM', 'sonde:caller:lister', first.id);
    const second = await ended(client);
    expect(await listed(client)).toEqual([second.id, first.id]);
    expect((await client.request('DELETE', first.path)).status).toBe(204);
    expect(await listed(client)).toEqual([second.id]);
  });

  it('keeps as many as the key may, and counts those that are gone no more', async () => {
    const { client } = await make('counter', { limits: { kept_records: 2 } });
    const [a, b, c] = [
      await ended(client),
      await ended(client),
      await ended(client),
    ];
    for (const run of [a, b])
      expect((await keep(client, run)).status).toBe(200);
    expectProblem(await keep(client, c), {
      ...full,
      more: { limit: 'kept_records' },
    });
    expect(await c.read()).toMatchObject({ kept: false });
    await keep(client, a, 'DELETE');
    expect((await keep(client, c)).status).toBe(200);
    expectProblem(await keep(client, a), {
      ...full,
      more: { limit: 'kept_records' },
    });
    expect((await client.request('DELETE', b.path)).status).toBe(204);
    expect((await keep(client, a)).status).toBe(200);
    // As an older process removes it, or a crash leaves it.
    await stand.redis.call('DEL', `sonde:{${c.id}}:record`);
    const d = await ended(client);
    expect((await keep(client, d)).status).toBe(200);
  });

  it('keeps as many bytes as the key may, those included that were kept without a size', async () => {
    const { id, client } = await make('weigher');
    const [a, b] = [await ended(client), await ended(client)];
    const limit = (kept_bytes: number | null) =>
      admin.request('PATCH', `/admin/api/keys/${id}`, {
        body: { limits: { kept_bytes } },
      });
    const most = Math.floor(1.5 * (await bytesOf(a)));
    expect((await limit(most)).status).toBe(200);
    expect((await keep(client, a)).status).toBe(200);
    // As an earlier version has written it.
    await stand.redis.call('ZADD', 'sonde:kept:weigher', 'XX', '0', a.id);
    const refused = await keep(client, b);
    expectProblem(refused, { ...full, more: { limit: 'kept_bytes' } });
    expect(refused.body.detail).toContain(`${most} bytes`);
    expect(await b.read()).toMatchObject({ kept: false });
    expect((await keep(client, a)).status).toBe(200);
    await keep(client, a, 'DELETE');
    expect((await keep(client, b)).status).toBe(200);
    await limit(null);
    expect((await keep(client, a)).status).toBe(200);
  });

  it('is no affair of another key, and of none that has not ended', async () => {
    const { client } = await make('owner');
    const { client: other } = await make('other');
    const run = await ended(client);
    const notFound = { status: 404, code: 'invocation_not_found' };
    for (const method of ['POST', 'DELETE'])
      expectProblem(await keep(other, run, method), notFound);
    const reader = await make('owner', { scopes: ['read'] });
    expectProblem(await keep(reader.client, run), {
      status: 403,
      code: 'insufficient_scope',
    });
    await stand.configure({ research_ms: 600_000 });
    const going = await client.submit();
    expectProblem(await keep(client, going), {
      status: 409,
      code: 'invocation_not_ended',
    });
    await going.cancel();
    await stand.configure({ research_ms: 20 });
  });

  it('ends with the last key of a name', async () => {
    const { id, client } = await make('leaver');
    const run = await ended(client);
    await keep(client, run);
    await admin.post(`/admin/api/keys/${id}/revoke`, {});
    await until('the kept record to expire again', async (saw) =>
      saw(await lifetimes(run)).every((left) => left > 0),
    );
  });
});
