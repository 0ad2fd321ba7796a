import { createHash } from 'node:crypto';
import type OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import type {
  ResponseInputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { z } from 'zod';
import {
  checked,
  endOf,
  openAi,
  refusal,
  wire,
} from '../../support/openai/openai-client';
import { OpenAiSchemas } from '../../support/openai/openai-schemas';
import { keysCommand } from '../../support/processes/keys-command';
import { runWeatherAgent } from '../../support/openai/weather-agent';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const MODEL = 'gpt-4.1';
const KEY = 'the-key-of-alice';
const hello = { model: MODEL, input: 'Hello' };
const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');
const call = (name: string, args: object) =>
  `[sandbox: call ${name} ${JSON.stringify(args)}]`;

const GET_WEATHER = {
  type: 'function' as const,
  name: 'get_weather',
  description: 'Reports the weather of a city.',
  strict: false,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
};

describe('chat at /v1/responses by the SDK of OpenAI', () => {
  let stand: Stand;
  let schemas: OpenAiSchemas;
  let alice: OpenAI;

  beforeAll(async () => {
    schemas = OpenAiSchemas.generate();
    stand = await Stand.start({
      researchMs: 100,
      env: {
        RELAY_API_KEYS: `alice:${sha256(KEY)}`,
        RELAY_CHAT_MODELS: MODEL,
      },
    });
    alice = openAi(stand.apis[0].url, KEY);
  }, 240_000);
  afterEach(async () => {
    await stand.clearFaults();
    await stand.reset();
    await stand.configure({ turn_ms: 1 });
  });
  afterAll(() => stand.stop());

  const bodies = async () =>
    (await stand.requests()).map(({ body }) => body).filter(Boolean);
  const stream = async (body: object): Promise<ResponseStreamEvent[]> =>
    checked(
      schemas,
      await alice.responses.create({
        ...hello,
        ...body,
        stream: true,
      }),
    );

  it('answers with a response that is not stored', async () => {
    const response = await alice.responses.create({
      ...hello,
      instructions: 'Be brief.',
      metadata: { topic: 'greeting' },
      temperature: 0.3,
      max_output_tokens: 4_000,
      reasoning: { effort: 'low' },
      store: true,
    });
    schemas.expectResponse(wire(response));
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: MODEL,
      instructions: 'Be brief.',
      metadata: { topic: 'greeting' },
      temperature: 0.3,
      max_output_tokens: 4_000,
      store: false,
      output: [{ type: 'message', role: 'assistant', status: 'completed' }],
    });
    expect(response.output_text).toBeTruthy();
    expect(response.usage!.output_tokens).toBeGreaterThan(0);
    expect((await bodies())[0]).toMatchObject({
      temperature: 0.3,
      max_output_tokens: 4_000,
    });
    expect(await refusal(alice.responses.retrieve(response.id))).toMatchObject({
      status: 404,
      code: 'response_not_found',
    });
  });

  it('streams the same text, every event by the types of the SDK', async () => {
    const { output_text: whole } = await alice.responses.create(hello);
    const events = await stream({});
    expect(events.map(({ sequence_number: at }) => at)).toEqual([
      ...events.keys(),
    ]);
    expect(events[0].type).toBe('response.created');
    const text = events
      .map((event) =>
        event.type === 'response.output_text.delta' ? event.delta : '',
      )
      .join('');
    expect(text).toBe(whole);
    const [message] = endOf(events).output;
    expect(message).toMatchObject({ content: [{ text: whole }] });
    schemas.expectResponse(endOf(events));
    const helper = alice.responses.stream(hello);
    expect((await helper.finalResponse()).output_text).toBe(whole);
  });

  it.each([false, true])(
    'hands calls of functions back, and takes their outputs (stream: %s)',
    async (isStream) => {
      const input: ResponseInputItem[] = [
        {
          role: 'user',
          content:
            call('get_weather', { city: 'Seoul' }) +
            call('get_weather', { city: 'Busan' }),
        },
      ];
      const body = { tools: [GET_WEATHER], input };
      const { output } = isStream
        ? endOf(await stream(body))
        : await alice.responses.create({ ...hello, ...body });
      const calls = output.filter((item) => item.type === 'function_call');
      expect(calls.map(({ arguments: args }) => JSON.parse(args))).toEqual([
        { city: 'Seoul' },
        { city: 'Busan' },
      ]);
      input.push(
        ...(output as ResponseInputItem[]),
        ...calls.map(({ call_id, arguments: args }) => ({
          type: 'function_call_output' as const,
          call_id,
          output: `It is 3 degrees in ${JSON.parse(args).city}.`,
        })),
      );
      const answer = await alice.responses.create({ ...hello, ...body });
      schemas.expectResponse(wire(answer));
      expect(answer.output_text).toMatch('3 degrees in Seoul');
    },
  );

  it.each([false, true])(
    'researches by itself, and cites in its text (stream: %s)',
    async (isStream) => {
      const input = call('deep_research', { research_question: 'Kimchi' });
      const response = isStream
        ? endOf(await stream({ input }))
        : await alice.responses.create({ ...hello, input });
      schemas.expectResponse(isStream ? response : wire(response));
      const item = response.output[0];
      if (item.type !== 'message' || item.content[0].type !== 'output_text')
        throw new Error(JSON.stringify(item));
      const { text, annotations } = item.content[0];
      expect(annotations.length).toBeGreaterThan(0);
      for (const annotation of annotations) {
        if (annotation.type !== 'url_citation') throw new Error('no citation');
        expect(annotation.end_index).toBeLessThanOrEqual(
          Array.from(text).length,
        );
      }
      expect((await stand.stats()).creates).toBe(1);
    },
  );

  it('parses an answer in the form of text.format', async () => {
    const Facts = z.object({ title: z.string() });
    const section = JSON.stringify({ text: 'Kimchi is old.' });
    const { output_parsed } = await alice.responses.parse({
      model: MODEL,
      input: `<data name="sections">\n${section}\n</data>`,
      // The sandbox knows by the name that it is to fill the schema.
      text: { format: zodTextFormat(Facts, 'research_object') },
    });
    expect(output_parsed).toEqual({ title: 'Kimchi is old.' });
  });

  it('is incomplete where the limit of the output cut it', async () => {
    await stand.fault({
      kind: 'incomplete',
      reason: 'max_output_tokens',
      fraction: 0.5,
      count: 2,
    });
    const cut = await alice.responses.create(hello);
    schemas.expectResponse(wire(cut));
    expect(cut).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    const events = await stream({});
    expect(events.at(-1)!.type).toBe('response.incomplete');
  });

  it('reports a failure of the model with its code, in a stream too', async () => {
    const fail = () =>
      stand.fault({ kind: 'failed', code: 'server_error', message: 'secret' });
    await fail();
    const failed = await refusal(alice.responses.create(hello));
    expect(failed).toMatchObject({ status: 502, code: 'upstream_failed' });
    await fail();
    const events = await stream({});
    const { status, error } = endOf(events);
    expect(events.at(-1)!.type).toBe('response.failed');
    expect(status).toBe('failed');
    expect(error!.message).toMatch(/^upstream_failed: /);
    expect(JSON.stringify(events)).not.toMatch('secret');
  });

  it('refuses by name what it cannot honour', async () => {
    const history = [
      { type: 'function_call_output', call_id: 'c', output: '' },
    ];
    for (const [more, code, param] of [
      [{ background: true }, 'unsupported_parameter', 'background'],
      [
        { previous_response_id: 'resp_1' },
        'unsupported_parameter',
        'previous_response_id',
      ],
      [
        { tools: [{ type: 'web_search' }] },
        'unsupported_parameter',
        'tools[0].type',
      ],
      [{ input: undefined }, 'missing_required_parameter', 'input'],
      [
        { input: [{ type: 'item_reference', id: 'a' }] },
        'invalid_value',
        'input[0].id',
      ],
      [{ nonsense: 1 }, 'unknown_parameter', 'nonsense'],
      [{ temperature: 3 }, 'invalid_value', 'temperature'],
      [{ input: history }, 'validation_failed', 'input'],
    ] as const)
      expect(
        await refusal(alice.responses.create({ ...hello, ...more } as never)),
      ).toMatchObject({ status: 400, code, param });
    const unknown = alice.responses.create({ ...hello, model: 'gpt-unknown' });
    expect(await refusal(unknown)).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    expect(await bodies()).toEqual([]);
  });

  it('needs the scope of chats', async () => {
    const { body } = await keysCommand(
      { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' },
      'create',
      'reader',
      '--scopes',
      'read,research',
    );
    const reader = openAi(stand.apis[0].url, body.key);
    expect(await refusal(reader.responses.create(hello))).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
    });
  });

  it('answers an idempotency key once', async () => {
    const options = { headers: { 'Idempotency-Key': 'once' } };
    const first = await alice.responses.create(hello, options);
    schemas.expectResponse(wire(first));
    const asked = (await bodies()).length;
    const again = await alice.responses.create(hello, options);
    expect({ ...again }).toEqual({ ...first });
    expect((await bodies()).length).toBe(asked);
    // It is the record of a chat, not a response that is kept.
    expect(await refusal(alice.responses.retrieve(first.id))).toMatchObject({
      status: 404,
    });
    const streamed = { ...hello, stream: true as const };
    expect(
      await refusal(alice.responses.create(streamed, options)),
    ).toMatchObject({ status: 400, param: 'stream' });
  });

  it('keeps the metadata with a chat on record, which lists find by it', async () => {
    const body = { ...hello, metadata: { customer: '42' } };
    const options = { headers: { 'Idempotency-Key': 'marked' } };
    await alice.responses.create(body, options);
    await alice.responses.create(hello, {
      headers: { 'Idempotency-Key': 'not marked' },
    });
    const caller = stand.client().as(KEY);
    const list = await caller.get('/api/v1/chat?metadata[customer]=42');
    expect(list.body.data).toMatchObject([{ metadata: { customer: '42' } }]);
  });

  it('ends the turn of the model when the client leaves', async () => {
    await stand.configure({ turn_ms: 3_600_000 });
    const controller = new AbortController();
    const { signal } = controller;
    const ended = alice.responses.create(hello, { signal }).catch(() => null);
    await until(
      'the turn to be in flight',
      async (saw) => saw(await stand.stats()).in_flight === 1,
    );
    controller.abort();
    await ended;
    await until(
      'no turn to be in flight',
      async (saw) => saw(await stand.stats()).in_flight === 0,
    );
  });

  it('is a model of the Agents SDK', async () => {
    const { OpenAIResponsesModel } = await import('@openai/agents');
    const model = new OpenAIResponsesModel(alice as never, MODEL);
    const { whole, streamed, cities } = await runWeatherAgent(model);
    expect(whole).toMatch('3 degrees in Seoul');
    expect(streamed).toMatch('3 degrees in Seoul');
    expect(cities).toEqual(['Seoul', 'Seoul']);
  });
});
