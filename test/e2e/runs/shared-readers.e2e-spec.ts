import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type Invocation, type Reply } from '../../support/client';
import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';
import { expectProblem } from '../../support/problem';

const SHARED = '/api/v1/shared';
const CONTRACT = JSON.parse(
  readFileSync(join(__dirname, '../../../openapi.json'), 'utf8'),
) as { paths: Record<string, object> };
const gone = { status: 404, code: 'share_not_found' };

describe('a reader who has a link to a report', () => {
  let stand: Stand;
  let anonymous: Client;
  let alice: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      researchMs: 20,
      env: { RELAY_REQUIRE_KEYS: 'true' },
    });
    const scopes = 'chat,research,tools:*,read';
    const { body } = await keysCommand(
      { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' },
      'create',
      'name-of-alice',
      '--scopes',
      scopes,
    );
    anonymous = stand.client();
    alice = anonymous.as(body.key);
  });
  afterAll(() => stand.stop());

  const ended = async (args: object = {}): Promise<Invocation> => {
    const fields = { metadata: { of: 'metadata-of-alice' } };
    const run = await alice.submit({ ...args }, fields);
    expect((await run.wait()).status).toBe('completed');
    return run;
  };
  const share = async ({ path }: Invocation) => {
    const { status, body } = await alice.post(`${path}/share`);
    expect(status).toBe(201);
    return { id: String(body.share_id), token: String(body.share_token) };
  };
  const open = (token: string, client = anonymous) =>
    client.get(SHARED, { 'x-share-token': token });
  const statusOf = async (run: Invocation) =>
    (await alice.get(run.path)).body.status;

  it('sees no question, neither its own nor those around it, and nothing of who asked or what it cost', async () => {
    const questions = ['kimchi', 'hangul', 'haenyeo'].map(
      (topic, n) => `What of ${topic} does asker number ${n} want?`,
    );
    let previous: Invocation | undefined;
    const thread: Invocation[] = [];
    for (const research_question of questions) {
      previous = await ended({
        research_question,
        // Without a heading of its own, which may well repeat the question.
        deliverable_format: 'json_outline',
        ...(previous && { previous_invocation_id: previous.id }),
      });
      thread.push(previous);
    }
    const { token } = await share(thread[1]);
    const { status, body } = await open(token);
    expect(status).toBe(200);
    const record = (await alice.get(thread[1].path)).body;
    expect(record).toMatchObject({ parent: thread[0].id });
    expect(record.question).toBe(questions[1]);
    const { output_text, citations, sources, ...rest } = body;
    expect({ output_text, citations, sources }).toEqual({
      output_text: record.output_text,
      citations: record.citations,
      sources: record.sources,
    });
    expect(rest).toEqual({
      title: null,
      status: 'completed',
      deliverable_format: 'json_outline',
      completed_at: record.completed_at,
      expires_at: expect.any(String),
    });
  });

  it('does nothing else with it: no route of the record, of another one, of a chat or of the owner takes it', async () => {
    const run = await ended();
    const other = await ended();
    const chat = await alice.post('/api/v1/chat', { message: 'hello' });
    const { token } = await share(run);
    const digits = (id: string) => id.slice(id.indexOf('_') + 1);
    const ids = { id: run.id, chat_id: chat.body.response_id, run_id: run.id };
    for (const [template, operations] of Object.entries(CONTRACT.paths)) {
      if (/^\/health|\/shared$/.test(template)) continue;
      const path = template.replace(
        /\{(\w+)\}/g,
        (_, name: keyof typeof ids) => ids[name] ?? digits(run.id),
      );
      for (const method of Object.keys(operations)) {
        const { status } = await anonymous.request(
          method.toUpperCase(),
          `${path}?ticket=${token}`,
          {
            headers: {
              'x-share-token': token,
              'x-invocation-token': token,
              cookie: `share_token=${token}`,
            },
          },
        );
        expect(`${status} ${method} ${template}`).toMatch(/^40[134] /);
      }
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const headers = { 'x-share-token': token };
      const reply = await anonymous.request(method, SHARED, { headers });
      expect(reply.status).toBe(405);
    }
    const swapped = token.replace(digits(run.id), digits(other.id));
    await share(other);
    expectProblem(await open(swapped), gone);
    expectProblem(await anonymous.as(token).get(run.path), {
      status: 401,
      code: 'invalid_api_key',
    });
    expect((await open(token)).status).toBe(200);
    expect(await statusOf(run)).toBe('completed');
    expect((await alice.get(run.path)).body).toMatchObject({
      kept: false,
      follow_ups: [],
    });
  });

  it('cannot tell a link that was revoked, has expired, or whose report is gone from one that never was', async () => {
    const run = await ended();
    const [revoked, expired] = [await share(run), await share(run)];
    await alice.request('DELETE', `${run.path}/share/${revoked.id}`);
    const key = `sonde:{${run.id}}:record`;
    const lines = String(await stand.redis.call('HGET', key, 'shares'));
    const past = lines.replace(/^(\S+ \S+) \d+/m, '$1 1');
    await stand.redis.call('HSET', key, 'shares', past);
    const removed = await ended();
    const deleted = await share(removed);
    await alice.request('DELETE', removed.path);
    const never = `shr_${'0'.repeat(96)}`;
    const shownBy = ({ status, headers, body }: Reply) => {
      const { request_id: _, ...problem } = body;
      const shown = Object.fromEntries(headers);
      for (const name of ['date', 'x-request-id']) delete shown[name];
      return { status, shown, problem };
    };
    const unknown = await open(never);
    expectProblem(unknown, gone);
    expect(unknown.headers.get('cache-control')).toBe('no-store');
    for (const { token } of [revoked, expired, deleted])
      expect(shownBy(await open(token))).toEqual(shownBy(unknown));
    for (const token of [
      never.slice(4),
      `${never}, ${never}`,
      `shr_${'0'.repeat(5_000)}`,
      `shr_${'a'.repeat(32)}${'\\n'.repeat(32)}`,
      '../../tool-invocations',
    ])
      expect(shownBy(await open(token))).toEqual(shownBy(unknown));
  });

  it('has nothing the moment it is revoked or its report deleted, at whatever process', async () => {
    const other = stand.client(1);
    const run = await ended();
    const { id, token } = await share(run);
    expect((await open(token, other)).status).toBe(200);
    await alice.request('DELETE', `${run.path}/share/${id}`);
    expectProblem(await open(token, other), gone);

    const second = await share(run);
    expect((await open(second.token, other)).status).toBe(200);
    expect((await alice.request('DELETE', run.path)).status).toBe(204);
    expectProblem(await open(second.token, other), gone);
    const dump = await stand.redis.dump(`sonde:{${run.id}}:record`);
    expect(dump).not.toContain('shares');
  });
});
