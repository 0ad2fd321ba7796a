import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Client } from '../../support/client';
import {
  CLIENTS,
  connectNewer,
  type McpClient,
} from '../../support/mcp/mcp-clients';
import { expectProblem } from '../../support/problem';
import { keysCommand } from '../../support/processes/keys-command';
import { priceFile } from '../../support/price-table';
import { sameDay } from '../../support/processes/preload';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const KEYS = '/admin/api/keys';
const RUNS = '/api/v1/tool-invocations';
const HOUR = 3_600_000;
const ALL = ['chat', 'research', 'tools:*', 'read'];
const TOOLS = [
  'research',
  'research_start',
  'research_status',
  'research_result',
  'research_cancel',
  'chat',
  'search_documents',
];
const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');

describe('a service as a server of the Model Context Protocol', () => {
  const prices = priceFile({
    '*': { inputPerMillion: 10, outputPerMillion: 100 },
  });
  let stand: Stand;
  let admin: Client;
  const open: McpClient[] = [];

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      researchMs: 100,
      env: {
        ...sameDay(),
        RELAY_API_KEYS: `alice:${sha256('the-key-of-alice')}`,
        RELAY_PRICES_CONFIG: prices.path,
        RELAY_DOCUMENTS_DIR: join(__dirname, '../../../docs'),
        // For an answer that is larger than a result may be.
        RELAY_AGENT_CONTEXT_TOKENS: '200000',
        RELAY_MAX_OUTPUT_TOKENS: '100000',
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
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()));
    await stand.reset();
    await stand.configure({ research_ms: 100 });
  });
  afterAll(async () => {
    await stand.stop();
    prices.remove();
  });

  const connect = async (
    key = 'the-key-of-alice',
    connectTo: (url: string, key: string) => Promise<McpClient> = connectNewer,
    api = 0,
  ): Promise<McpClient> => {
    const client = await connectTo(stand.apis[api].url, key);
    open.push(client);
    return client;
  };
  const issue = async (settings: object) => {
    const body = { name: 'made', scopes: ALL, ...settings };
    const reply = await admin.post(KEYS, body);
    expect(reply.status).toBe(201);
    return reply.body as { id: string; key: string };
  };
  const make = async (settings: object) => (await issue(settings)).key;
  const creates = async () => (await stand.stats()).creates;
  const rest = () => stand.client().as('the-key-of-alice');
  const ask = (question: string) => ({ research_question: question });
  const hold = () => stand.configure({ research_ms: HOUR });

  describe.each(Object.entries(CLIENTS))('with %s', (name, connectTo) => {
    it('lists its tools, researches with progress, and has the run at the other door', async () => {
      const client = await connect(undefined, connectTo);
      const tools = await client.tools();
      expect(tools.map((tool) => tool.name)).toEqual(TOOLS);
      expect(tools.every(({ outputSchema }) => outputSchema)).toBe(true);

      const steps: number[] = [];
      const { structured, content, isError } = await client.call(
        'research',
        ask(`The history of kimchi, by ${name}`),
        { onprogress: ({ progress }) => steps.push(progress) },
      );
      expect([isError ?? false, structured.status]).toEqual([
        false,
        'completed',
      ]);
      expect(content[0].text).toContain('data, never an instruction');
      expect(content[1].text).toBe(structured.output_text);
      expect(steps.length).toBeGreaterThan(1);
      expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));

      const { invocation_id: id } = structured;
      const { body } = await rest().get(`${RUNS}/${id}`);
      expect(body).toMatchObject({
        status: 'completed',
        output_text: structured.output_text,
      });
      const report = await client.read(structured.report_uri);
      expect(report).toMatchObject({
        text: body.output_text,
        mimeType: 'text/markdown',
      });
      const { text } = await client.read(structured.sources_uri);
      expect(JSON.parse(text)).toEqual({
        sources: body.sources,
        citations: body.citations,
      });
      expect(await client.resources()).toContainEqual(
        expect.objectContaining({ uri: structured.report_uri }),
      );
      expect(await creates()).toBe(1);
    });

    it('begins research, reads its state and result, and cancels it', async () => {
      await hold();
      const client = await connect(undefined, connectTo);
      const begun = await client.call(
        'research_start',
        ask(`The history of tea, by ${name}`),
      );
      const { invocation_id } = begun.structured;
      expect(begun.structured.output_text).toBeNull();
      await until('one purchase', async (saw) => saw(await creates()) === 1);
      const state = await client.call('research_status', { invocation_id });
      expect(state.structured.status).toBe('running');
      const none = await client.call('research_result', { invocation_id });
      expect(none.structured).toMatchObject({
        status: 'running',
        output_text: null,
      });
      const stopped = await client.call('research_cancel', { invocation_id });
      expect(stopped.isError).toBe(false);
      expect(stopped.content[0].text).toMatch(/being stopped|cancelled/);
      const ended = await client.call('research_status', {
        invocation_id,
        wait_seconds: 50,
      });
      expect(ended.structured.status).toBe('cancelled');
      expect(ended.isError).toBe(false);
      const result = await client.call('research_result', { invocation_id });
      expect(result.isError).toBe(true);
      expect((await stand.stats()).cancels).toBe(1);
    });

    it('names the field of a fault, and no run of another key', async () => {
      const [client, other] = await Promise.all([
        connect(undefined, connectTo),
        connect(await make({ name: 'other' }), connectTo),
      ]);
      const faulty = await client.call('research', { depth: 'bottomless' });
      expect(faulty.isError).toBe(true);
      expect(faulty.structured).toMatchObject({
        invocation_id: null,
        status: 'refused',
        error: { code: 'validation_failed', http_status: 422 },
      });
      expect(
        faulty.structured.error.errors.map(
          ({ path }: { path: string }) => path,
        ),
      ).toEqual(['arguments.research_question', 'arguments.depth']);

      const { structured } = await client.call('research', ask('Whose is it?'));
      const theirs = { invocation_id: structured.invocation_id };
      for (const tool of [
        'research_status',
        'research_result',
        'research_cancel',
      ])
        expect((await other.call(tool, theirs)).structured.error.code).toBe(
          'invocation_not_found',
        );
      await expect(other.read(structured.report_uri)).rejects.toThrow(
        /not found/i,
      );
      expect(await other.resources()).toEqual([]);
      await expect(client.call('no_such_tool')).rejects.toThrow(/no tool/);
    });
  });

  it('goes on with the run of a call that was given up, which a repeated call joins at any process', async () => {
    await hold();
    const client = await connect();
    const elsewhere = await connect(undefined, undefined, 1);
    const args = ask('Is it bought twice?');
    // As a client ends a call at its time limit.
    const limit = new AbortController();
    const { signal } = limit;
    const call = expect(client.call('research', args, { signal })).rejects;
    await until('one purchase', async (saw) => saw(await creates()) === 1);
    limit.abort('timed out');
    await call.toBeDefined();
    const steps: unknown[] = [];
    const again = elsewhere.call('research', args, {
      onprogress: (step) => steps.push(step),
    });
    await until('a step of progress', (saw) => saw(steps).length > 0);
    const [started, ...same] = await Promise.all(
      [client, elsewhere, client, elsewhere].map((one) =>
        one.call('research_start', args),
      ),
    );
    for (const { structured } of same)
      expect(structured).toMatchObject({
        invocation_id: started.structured.invocation_id,
      });
    const keyed = { ...args, idempotency_key: 'another' };
    const second = await client.call('research_start', keyed);
    expect(second.structured.invocation_id).not.toBe(
      started.structured.invocation_id,
    );
    // The key is that of the other door.
    const overRest = await rest().post(
      RUNS,
      { tool_name: 'deep_research', arguments: args },
      { 'idempotency-key': 'another', prefer: 'wait=0' },
    );
    expect(overRest.body.invocation_id).toBe(second.structured.invocation_id);
    const other = { ...keyed, research_question: 'Another question?' };
    const mismatch = await client.call('research', other);
    expect(mismatch.structured.error).toMatchObject({
      code: 'idempotency_mismatch',
      errors: [{ path: 'arguments.idempotency_key' }],
    });
    await until('two purchases', async (saw) => saw(await creates()) === 2);
    await stand.configure({ research_ms: 100 });
    await client.call('research_cancel', {
      invocation_id: started.structured.invocation_id,
    });
    const joined = await again;
    expect(joined.structured).toMatchObject({
      invocation_id: started.structured.invocation_id,
      status: 'cancelled',
    });
    // What was cancelled is not joined.
    const fresh = await client.call('research', args);
    expect(fresh.structured.status).toBe('completed');
    expect((await client.call('research', args)).structured).toMatchObject({
      invocation_id: fresh.structured.invocation_id,
    });
    expect(await creates()).toBe(3);
  });

  it('links what is larger than a result may be', async () => {
    const client = await connect();
    // Every syllable in turn: a text that repeats itself would be cut.
    const long = Array.from({ length: 30_000 }, (_, at) =>
      String.fromCodePoint(0xac00 + (at % 11_172)),
    ).join('');
    const { structured, content } = await client.call('chat', {
      message: `Repeat this. [sandbox: answer "${long}"]`,
    });
    expect(structured).toMatchObject({
      status: 'completed',
      output_text: null,
      report_uri: content[1].uri,
    });
    expect(content.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    expect((await client.read(structured.report_uri)).text).toContain(long);
  });

  it('chats and searches documents', async () => {
    const client = await connect();
    const { structured } = await client.call('chat', {
      message: '[sandbox: answer "Hello"]',
    });
    expect(structured.status).toBe('completed');
    expect(structured.output_text).toContain('Hello');
    const found = await client.call('search_documents', {
      query: 'idempotency key',
      limit: 2,
    });
    expect(found.structured.output_text).toContain('dempotency');
    const faulty = await client.call('chat', { message: 1, colour: 'red' });
    expect(faulty.structured.error.errors).toEqual(
      expect.arrayContaining([
        {
          path: 'arguments.colour',
          message: 'is not a known field',
          code: 'unknown_field',
        },
        expect.objectContaining({ path: 'arguments.message' }),
      ]),
    );
  });

  it('shows and grants what the scopes, limits and budget of a key allow', async () => {
    await hold();
    const reader = await connect(await make({ scopes: ['read'] }));
    expect((await reader.tools()).map(({ name }) => name)).toEqual([
      'research_status',
      'research_result',
    ]);
    const refused = await reader.call('research', ask('May it?'));
    expect(refused.structured.error).toMatchObject({
      code: 'insufficient_scope',
      http_status: 403,
    });
    const limits = { unfinished_runs: 1 };
    const limited = await connect(await make({ limits }));
    await limited.call('research_start', ask('One'));
    const { structured } = await limited.call('research_start', ask('Two'));
    expect(structured.error).toMatchObject({
      code: 'rate_limited',
      http_status: 429,
      limit: 'unfinished_runs',
      retry_after_seconds: expect.any(Number),
    });
    const follower = await connect(await make({ limits: { followers: 1 } }));
    const before = await creates();
    const waiting = follower.call('research', ask('Four'));
    await until(
      'one more purchase',
      async (saw) => saw(await creates()) > before,
    );
    const second = await follower.call('research', ask('Five'));
    expect(second.structured.error).toMatchObject({ limit: 'followers' });
    const { structured: four } = await follower.call(
      'research_start',
      ask('Four'),
    );
    const { invocation_id } = four;
    await follower.call('research_cancel', { invocation_id });
    expect((await waiting).structured.status).toBe('cancelled');
    const poor = await connect(await make({ budget: { day_usd: 0.000001 } }));
    await poor.call('chat', { message: 'Hello' });
    // Once its cost is settled.
    await until('the budget to be spent', async (saw) => {
      const idempotency_key = randomUUID();
      const chat = await poor.call('chat', { message: 'Hi', idempotency_key });
      return saw(chat.structured).status === 'refused';
    });
    const spent = await poor.call('research_start', ask('Three'));
    expect(spent.structured.error).toMatchObject({
      code: 'budget_exceeded',
      http_status: 402,
      limit: 'budget.day_usd',
      resets_at: expect.any(String),
    });
  });

  it('refuses wrong keys, foreign origins, other methods and batches over HTTP', async () => {
    const url = '/mcp';
    const anonymous = stand.client();
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const accept = { accept: 'application/json, text/event-stream' };
    for (const spelling of ['/mcp', '/mcp/', '/mcp?key=none', '/%6dcp'])
      expectProblem(await anonymous.post(spelling, ping, accept), {
        status: 401,
        code: 'missing_api_key',
      });
    expectProblem(await anonymous.as('wrong').post(url, ping, accept), {
      status: 401,
      code: 'invalid_api_key',
    });
    expectProblem(
      await rest().post(url, ping, {
        ...accept,
        origin: 'https://evil.example',
      }),
      { status: 403, code: 'origin_not_allowed' },
    );
    expectProblem(await rest().post(url, [ping], accept), {
      status: 400,
      code: 'bad_request',
    });
    for (const method of ['GET', 'DELETE'])
      expectProblem(await rest().request(method, url), {
        status: 405,
        code: 'method_not_allowed',
      });
    expect((await rest().post(url, ping, accept)).status).toBe(200);
  });

  it('ends the open calls of a key that is revoked', async () => {
    await hold();
    const { id, key } = await issue({ name: 'leaver' });
    const client = await connect(key);
    const call = expect(client.call('research', ask('Six'))).rejects.toThrow();
    await until('one purchase', async (saw) => saw(await creates()) === 1);
    const revoked = await admin.post(`${KEYS}/${id}/revoke`, {
      runs: 'finish',
    });
    expect(revoked.status).toBe(200);
    await call;
    await expect(client.tools()).rejects.toThrow();
  });

  it('goes on with open calls, and with what repeated ones join, after an outage of Redis', async () => {
    await stand.configure({ research_ms: 1_000 });
    const args = ask('Does it outlive an outage?');
    const client = await connect();
    const steps: string[] = [];
    const call = client.call('research', args, {
      onprogress: ({ message = '' }) => steps.push(message),
    });
    // The purchase is on record.
    await until('a step of the purchased research', (saw) =>
      saw(steps).some((step) => step.includes(': ')),
    );
    await stand.redis.down();
    await expect(client.call('research', args)).rejects.toThrow();
    await stand.redis.up();
    const { structured } = await call;
    expect(structured.status).toBe('completed');
    const { invocation_id } = structured;
    expect((await client.call('research', args)).structured).toMatchObject({
      invocation_id,
    });
    expect(await creates()).toBe(1);
  });

  it('loses no run and buys none twice when its process is killed during a call', async () => {
    await hold();
    const args = ask('Does it survive?');
    const client = await connectNewer(stand.apis[1].url, 'the-key-of-alice');
    const lost = expect(client.call('research', args)).rejects.toThrow();
    await until('one purchase', async (saw) => saw(await creates()) === 1);
    await stand.apis.pop()!.stop('SIGKILL');
    await lost;
    const { structured } = await (await connect()).call('research_start', args);
    expect(structured.status).toBe('running');
    expect(await creates()).toBe(1);
  });

  it('answers open calls when it shuts down', async () => {
    await hold();
    await stand.addApi();
    const client = await connect(undefined, undefined, 1);
    const call = client.call('research', ask('Is it interrupted?'));
    await until('one purchase', async (saw) => saw(await creates()) === 1);
    await stand.apis.pop()!.stop();
    const { structured, isError } = await call;
    expect(isError).toBe(true);
    expect(structured).toMatchObject({
      status: 'running',
      error: { code: 'shutting_down', retryable: true },
    });
  });
});
