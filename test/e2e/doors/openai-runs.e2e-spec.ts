import { createHash } from 'node:crypto';
import type OpenAI from 'openai';
import type { Client } from '../../support/client';
import {
  checked,
  endOf,
  openAi,
  refusal,
  wire,
} from '../../support/openai/openai-client';
import { OpenAiSchemas } from '../../support/openai/openai-schemas';
import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const HOUR = 3_600_000;
const RUNS = '/api/v1/tool-invocations';
const KEYS = '/admin/api/keys';
const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');
const ask = (input: string) => ({ model: 'o4-mini-deep-research', input });

describe('runs of research by the SDK of OpenAI', () => {
  let stand: Stand;
  let schemas: OpenAiSchemas;
  let admin: Client;
  let alice: OpenAI;
  let bob: OpenAI;

  beforeAll(async () => {
    schemas = OpenAiSchemas.generate();
    stand = await Stand.start({
      researchMs: 100,
      env: {
        RELAY_API_KEYS: `alice:${sha256('the-key-of-alice')},bob:${sha256('the-key-of-bob')}`,
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
    alice = connect('the-key-of-alice');
    bob = connect('the-key-of-bob');
  }, 240_000);
  afterEach(async () => {
    await stand.reset();
    await stand.configure({ research_ms: 100 });
  });
  afterAll(() => stand.stop());

  const connect = (key: string, options = {}) =>
    openAi(stand.apis[0].url, key, options);
  const make = async (settings: object): Promise<OpenAI> => {
    const reply = await admin.post(KEYS, { name: 'made', ...settings });
    expect(reply.status).toBe(201);
    return connect(reply.body.key);
  };
  const creates = async () => (await stand.stats()).creates;
  const hold = () => stand.configure({ research_ms: HOUR });
  const rest = () => stand.client().as('the-key-of-alice');
  const invocation = (id: string) => `${RUNS}/${id.replace('resp_', 'inv_')}`;

  it('cancels a run for every door', async () => {
    await hold();
    const { id } = await alice.responses.create({
      ...ask('The history of tea'),
      background: true,
    });
    await until('one purchase', async (saw) => saw(await creates()) === 1);
    const cancelled = await alice.responses.cancel(id);
    schemas.expectResponse(wire(cancelled));
    expect(cancelled.status).toBe('cancelled');
    expect((await rest().get(invocation(id))).body.status).toBe('cancelled');
    expect(wire(await alice.responses.cancel(id))).toEqual(wire(cancelled));
    await until(
      'one cancellation at the provider',
      async (saw) => saw(await stand.stats()).cancels === 1,
    );
  });

  it('ends the stream of a run that is cancelled at the other door with a failure', async () => {
    await hold();
    const stream = await alice.responses.create({
      ...ask('The history of salt'),
      stream: true,
    });
    const events = [];
    for await (const event of stream) {
      schemas.expectEvent(event);
      events.push(event);
      if (event.type === 'response.created') {
        const path = `${invocation(event.response.id)}/cancel`;
        expect((await rest().post(path)).status).toBeLessThan(300);
      }
    }
    expect(events.at(-1)!.type).toBe('response.failed');
    expect(endOf(events).status).toBe('cancelled');
  });

  it('deletes a response, which is then unknown at every door', async () => {
    const { id } = await alice.responses.create(ask('The history of kimchi'));
    await alice.responses.delete(id);
    expect(await refusal(alice.responses.retrieve(id))).toMatchObject({
      status: 404,
      code: 'response_not_found',
      param: 'response_id',
    });
    expect((await rest().get(invocation(id))).status).toBe(404);
  });

  it('ends the stream of a run that is deleted with an error', async () => {
    await hold();
    const stream = await alice.responses.create({
      ...ask('The history of kimchi'),
      stream: true,
    });
    const read = async () => {
      for await (const event of stream)
        if (event.type === 'response.in_progress')
          await alice.responses.delete(event.response.id);
    };
    await expect(read()).rejects.toThrow('The response was deleted.');
  });

  it('lists the input of a response', async () => {
    const { id } = await alice.responses.create({
      model: 'sonde-research',
      input: [
        { role: 'user', content: 'Who made kimchi?' },
        { role: 'assistant', content: 'Koreans.' },
        { role: 'user', content: 'The history of kimchi, please' },
      ],
    });
    const page = await alice.responses.inputItems.list(id, { limit: 2 });
    for (const item of page.data) schemas.expect('ResponseItem', item);
    expect(page.has_more).toBe(true);
    const texts: unknown[] = [];
    for await (const item of page)
      texts.push(item.type === 'message' && item.content[0]);
    expect(texts).toMatchObject([
      { type: 'input_text', text: 'The history of kimchi, please' },
      { type: 'output_text', text: 'Koreans.' },
      { type: 'input_text', text: 'Who made kimchi?' },
    ]);
  });

  it('shows runs of the other door, and none of another tool', async () => {
    const { body } = await rest().research({
      research_question: 'The history of hangul',
      system_prompt: 'Be brief.',
    });
    const id = body.invocation_id.replace('inv_', 'resp_');
    const response = await alice.responses.retrieve(id);
    schemas.expectResponse(wire(response));
    expect(response).toMatchObject({
      status: 'completed',
      model: 'sonde-research',
      instructions: 'Be brief.',
      output_text: body.output_text,
    });
    const { data } = await alice.responses.inputItems.list(id);
    expect(data).toMatchObject([
      { content: [{ text: 'The history of hangul' }] },
    ]);
    const clock = await rest().post(RUNS, {
      tool_name: 'get_current_datetime',
      arguments: {},
    });
    const other = clock.body.invocation_id.replace('inv_', 'resp_');
    expect((await refusal(alice.responses.retrieve(other))).status).toBe(404);
  });

  it('hides the responses of a key from every other', async () => {
    const { id } = await alice.responses.create(ask('The history of salt'));
    for (const call of [
      bob.responses.retrieve(id),
      bob.responses.retrieve(id, { stream: true }),
      bob.responses.cancel(id),
      bob.responses.delete(id),
      bob.responses.inputItems.list(id),
    ])
      expect(await refusal(call as Promise<unknown>)).toMatchObject({
        status: 404,
        code: 'response_not_found',
      });
    const follow = { ...ask('And then?'), previous_response_id: id };
    expect(await refusal(bob.responses.create(follow))).toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
    expect(await creates()).toBe(1);
  });

  it('follows up an earlier response of the same key', async () => {
    const { id } = await alice.responses.create(ask('The history of kimchi'));
    const next = await alice.responses.create({
      ...ask('The history of kimchi since 1900'),
      previous_response_id: id,
    });
    expect(next).toMatchObject({
      status: 'completed',
      previous_response_id: id,
    });
    const [, create] = (await stand.requests()).filter(({ path }) =>
      path.endsWith('/responses'),
    );
    expect(JSON.stringify(create.body)).toContain('An earlier report');
  });

  it.each([false, true])(
    'deletes what is not to be stored once its end was read, as a stream: %s',
    async (stream) => {
      const body = { ...ask('The history of tea'), store: false };
      const id = stream
        ? endOf(
            await checked(
              schemas,
              await alice.responses.create({ ...body, stream }),
            ),
          ).id
        : (await alice.responses.create(body)).id;
      await until(
        'the run to be removed',
        async (saw) => saw(await rest().get(invocation(id))).status === 404,
      );
    },
  );

  it('buys once for an idempotency key, also if the key comes with another body', async () => {
    const options = { headers: { 'Idempotency-Key': 'one' } };
    const first = await alice.responses.create(ask('Kimchi history'), options);
    const again = await alice.responses.create(ask('Kimchi history'), options);
    expect(again.id).toBe(first.id);
    const other = alice.responses.create(ask('Salt history'), options);
    expect(await refusal(other)).toMatchObject({
      status: 400,
      code: 'idempotency_mismatch',
    });
    expect(await creates()).toBe(1);
  });

  it('joins the run when the SDK repeats a create whose reply was lost', async () => {
    const counts: (string | null)[] = [];
    const lossy: typeof fetch = async (url, init) => {
      counts.push(new Headers(init?.headers).get('x-stainless-retry-count'));
      const reply = await fetch(url, init);
      if (counts.length > 1) return reply;
      await reply.text();
      throw new TypeError('the connection was lost');
    };
    const client = connect('the-key-of-alice', { maxRetries: 2, fetch: lossy });
    const response = await client.responses.create(ask('A history of hangul'));
    expect(response.status).toBe('completed');
    expect(counts).toEqual(['0', '1']);
    expect(await creates()).toBe(1);
    // Without a retry, the same question is a new one.
    const next = await alice.responses.create(ask('A history of hangul'));
    expect(next.id).not.toBe(response.id);
    expect(await creates()).toBe(2);
  });

  it.each([false, true])(
    'begins a new run once the first request was answered (stream: %s)',
    async (stream) => {
      const body = { ...ask('The history of paper'), background: !stream };
      const begin = async (): Promise<string> =>
        stream
          ? endOf(
              await checked(
                schemas,
                await alice.responses.create({ ...body, stream }),
              ),
            ).id
          : (await alice.responses.create(body)).id;
      const first = await begin();
      await rest().settled(invocation(first));
      expect(await begin()).not.toBe(first);
    },
  );

  it('joins the unfinished run of the same request by the same key alone', async () => {
    await hold();
    const body = { ...ask('The history of solar power'), background: true };
    const [first, ...others] = await Promise.all(
      [1, 2, 3].map(() => alice.responses.create(body)),
    );
    expect(others.map(({ id }) => id)).toEqual([first.id, first.id]);
    expect((await bob.responses.create(body)).id).not.toBe(first.id);
    await until('two purchases', async (saw) => saw(await creates()) === 2);
  });

  it('lists the models that chat before those of research, whose dated names it knows', async () => {
    const { data } = await alice.models.list();
    expect(data.map(({ id }) => id)).toEqual([
      'gpt-4o',
      'o3-deep-research',
      'o4-mini-deep-research',
      'sonde-research',
    ]);
    const chat = { ...ask('Why?'), model: 'gpt-4o' };
    expect((await alice.responses.create(chat)).output_text).toBeTruthy();
    const dated = 'o3-deep-research-2025-06-26';
    expect(await alice.models.retrieve(dated)).toMatchObject({
      id: dated,
      object: 'model',
    });
    expect(await refusal(alice.models.retrieve('gpt-5'))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });

  it('researches without the functions of an agent, which it names in the response', async () => {
    const response = await alice.responses.create({
      ...ask('The history of soy sauce'),
      tools: [
        {
          type: 'function',
          name: 'handoff',
          parameters: { type: 'object' },
          strict: false,
        },
        { type: 'web_search_preview' },
        { type: 'code_interpreter', container: { type: 'auto' } },
      ],
      tool_choice: 'required',
      max_output_tokens: 4_000,
    });
    schemas.expectResponse(wire(response));
    expect(response).toMatchObject({
      status: 'completed',
      tools: [{ type: 'web_search_preview' }],
      sonde: {
        notices: [
          { param: 'tools' },
          { param: 'tools' },
          { param: 'max_output_tokens' },
        ],
      },
    });
    const again = await alice.responses.retrieve(response.id);
    expect(wire(again)).toEqual(wire(response));
    expect(await creates()).toBe(1);
  });

  it('refuses in the form of OpenAI, before anything is bought', async () => {
    const create = (fields: object) =>
      refusal(alice.responses.create({ ...ask('Why?'), ...fields }));
    expect(await create({ model: 'gpt-5' })).toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
      type: 'invalid_request_error',
    });
    expect(await create({ conversation: 'conv_1' })).toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
      param: 'conversation',
    });
    expect(await create({ max_tool_calls: 5 })).toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'max_tool_calls',
    });
    const id = `msg_${'0'.repeat(36)}`;
    const referring = [
      { type: 'item_reference' as const, id },
      { role: 'user' as const, content: 'Why?' },
    ];
    expect(await create({ input: referring })).toMatchObject({
      status: 400,
      param: 'input[0].id',
      message: expect.stringContaining('store: false'),
    });
    expect(await create({ input: 'x'.repeat(32_001) })).toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'input',
    });
    const wrong = connect('not-a-key').models.list();
    expect(await refusal(wrong)).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      type: 'authentication_error',
    });
    const raw = await rest().request('POST', '/v1/responses', { raw: '{' });
    expect(raw).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_json', param: '' } },
    });
    expect(Object.keys(raw.body)).toEqual(['error']);
    const unknown = await rest().get('/v1/files');
    expect(unknown).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
    expect(await creates()).toBe(0);
  });

  it('keeps to the scopes and limits of the key', async () => {
    const reader = await make({ scopes: ['read'] });
    expect((await reader.models.list()).data).toEqual([]);
    expect(await refusal(reader.responses.create(ask('Why?')))).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
    });
    const few = await make({
      scopes: ['research', 'read'],
      limits: { requests_per_minute: 1 },
    });
    await few.models.list();
    const limited = await refusal(few.models.list());
    expect(limited).toMatchObject({
      status: 429,
      code: 'rate_limited',
      type: 'rate_limit_error',
    });
    const seconds = Number(limited.headers?.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await creates()).toBe(0);
  });

  it('refuses pages of foreign origins', async () => {
    const headers = { origin: 'https://evil.example' };
    const reply = await rest().post('/v1/responses', ask('Why?'), headers);
    expect(reply).toMatchObject({
      status: 403,
      body: { error: { code: 'origin_not_allowed' } },
    });
  });
});
