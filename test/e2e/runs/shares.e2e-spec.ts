import { Client, type Invocation } from '../../support/client';
import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';
import { expectProblem } from '../../support/problem';

const SHARED = '/api/v1/shared';
const WEEK_SECONDS = 604_800;
const gone = { status: 404, code: 'share_not_found' };

describe('a link that shares a report', () => {
  let stand: Stand;
  let admin: Client;
  let alice: Client;
  let anonymous: Client;

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
    anonymous = stand.client();
    admin = anonymous.as(body.key);
    ({ client: alice } = await make('alice'));
  });
  afterAll(() => stand.stop());

  const make = async (
    name: string,
    scopes = ['chat', 'research', 'tools:*', 'read'],
  ) => {
    const { body } = await admin.post('/admin/api/keys', { name, scopes });
    return { id: String(body.id), client: anonymous.as(body.key) };
  };
  const ended = async (client: Client): Promise<Invocation> => {
    const run = await client.submit({}, { metadata: { secret: 'MARKER' } });
    expect((await run.wait()).status).toBe('completed');
    return run;
  };
  const share = (client: Client, { path }: Invocation, body: object = {}) =>
    client.post(`${path}/share`, body);
  const open = (token?: string, client = anonymous) =>
    client.get(SHARED, token === undefined ? {} : { 'x-share-token': token });

  it('opens the report and its sources without a key, and nothing else', async () => {
    const run = await ended(alice);
    const record = await run.read();
    const { status, body } = await share(alice, run);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        share_id: expect.any(String),
        share_token: expect.stringMatching(/^shr_[0-9a-f]{96}$/),
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    });
    const { created_at, expires_at } = body;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(
      WEEK_SECONDS * 1_000,
    );
    const shown = await open(body.share_token);
    expect({ status: shown.status, body: shown.body }).toEqual({
      status: 200,
      body: {
        title: record.title,
        status: 'completed',
        deliverable_format: 'markdown_brief',
        output_text: record.output_text,
        citations: record.citations,
        sources: record.sources,
        completed_at: record.completed_at,
        expires_at,
      },
    });
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('x-robots-tag')).toMatch('noindex');
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
    const kept = await stand.redis.dump(`sonde:{${run.id}}:record`);
    expect(kept).not.toContain(body.share_token);
    for (const path of ['', '/share', '/events', '/sources'])
      expect(
        (
          await anonymous.get(run.path + path, {
            'x-invocation-token': body.share_token,
            'x-share-token': body.share_token,
          })
        ).status,
      ).toBe(403);
  });

  it('is listed without its token, and opens nothing once it is revoked', async () => {
    const run = await ended(alice);
    const { share_token, ...first } = (await share(alice, run)).body;
    const { body: second } = await share(alice, run);
    const listed = await alice.get(`${run.path}/share`);
    expect(listed.body.data).toEqual([
      first,
      expect.objectContaining({ share_id: second.share_id }),
    ]);
    expect(JSON.stringify(listed.body)).not.toContain('shr_');
    const one = `${run.path}/share/${first.share_id}`;
    expect((await alice.request('DELETE', one)).status).toBe(204);
    expectProblem(await alice.request('DELETE', one), gone);
    expectProblem(await open(share_token), gone);
    expect((await open(second.share_token)).status).toBe(200);
    const all = await alice.request('DELETE', `${run.path}/share`);
    expect(all.status).toBe(204);
    expectProblem(await open(second.share_token), gone);
  });

  it('opens nothing once it has expired, or its record is deleted', async () => {
    const run = await ended(alice);
    const { share_token: token } = (
      await share(alice, run, { expires_in_seconds: 60 })
    ).body;
    const key = `sonde:{${run.id}}:record`;
    const lines = String(await stand.redis.call('HGET', key, 'shares'));
    const [id, hash, , created] = lines.split(' ');
    await stand.redis.call('HSET', key, 'shares', `${id} ${hash} 1 ${created}`);
    expectProblem(await open(token), gone);
    expect((await alice.get(`${run.path}/share`)).body.data).toEqual([]);
    const { body } = await share(alice, run);
    expect((await open(body.share_token)).status).toBe(200);
    await run.remove();
    expectProblem(await open(body.share_token), gone);
  });

  it('ends with the last key of its owner', async () => {
    const { id, client } = await make('leaver');
    const run = await ended(client);
    const { share_token: token } = (await share(client, run)).body;
    expect((await open(token)).status).toBe(200);
    await admin.post(`/admin/api/keys/${id}/revoke`, {});
    expectProblem(await open(token), gone);
  });

  it('is refused to another key, without the scope, before the end, and beyond ten', async () => {
    const run = await ended(alice);
    const { client: bob } = await make('bob');
    const { client: reader } = await make('alice', ['read']);
    const notFound = { status: 404, code: 'invocation_not_found' };
    expectProblem(await share(bob, run), notFound);
    expectProblem(await bob.get(`${run.path}/share`), notFound);
    for (const below of ['/share', '/share/1'])
      expectProblem(await bob.request('DELETE', run.path + below), notFound);
    expectProblem(await share(reader, run), {
      status: 403,
      code: 'insufficient_scope',
    });
    for (const expires_in_seconds of [0, 59, 7_776_001, '60', 1.5])
      expectProblem(await share(alice, run, { expires_in_seconds }), {
        status: 422,
        code: 'validation_failed',
        paths: ['expires_in_seconds'],
      });
    for (let n = 0; n < 10; n += 1)
      expect((await share(alice, run)).status).toBe(201);
    expectProblem(await share(alice, run), {
      status: 409,
      code: 'share_limit_reached',
    });
    await stand.configure({ research_ms: 600_000 });
    const going = await alice.submit();
    expectProblem(await share(alice, going), {
      status: 409,
      code: 'invocation_not_ended',
    });
    await going.cancel();
    await stand.configure({ research_ms: 20 });
  });

  it('cannot be guessed, and guesses are slowed down', async () => {
    const run = await ended(alice);
    const { share_token: token } = (await share(alice, run)).body;
    const wrong = [
      undefined,
      '',
      token.slice(0, -1),
      `${token}0`,
      token.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')),
      `shr_${'0'.repeat(96)}`,
    ];
    for (const guess of wrong) expectProblem(await open(guess), gone);
    let last = await open('');
    for (let n = 0; n < 40 && last.status === 404; n += 1)
      last = await open(`shr_${'1'.repeat(96)}`);
    expectProblem(last, { status: 429, code: 'rate_limited' });
    expect(last.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});
