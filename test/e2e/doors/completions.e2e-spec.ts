import { createHash } from 'node:crypto';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { z } from 'zod';
import { runWeatherAgent } from '../../support/openai/weather-agent';
import { Stand } from '../../support/processes/stand';
import { Toolbox, testTools } from '../../support/processes/toolbox';
import { ToolCallLog } from '../../support/tool-call-log';
import { until } from '../../support/until';

const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');
const MODEL = 'gpt-4.1';
const user = (content: string) => [{ role: 'user' as const, content }];
const hello = { model: MODEL, messages: user('Hello') };
const call = (name: string, args: object) =>
  `[sandbox: call ${name} ${JSON.stringify(args)}]`;
const research = (question: string) =>
  call('deep_research', { research_question: question });

const GET_WEATHER = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'Reports the weather of a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
  },
};

describe('chat by the SDK of OpenAI', () => {
  let stand: Stand;
  let alice: OpenAI;

  const clientOf = (apiKey: string, maxRetries = 0) =>
    new OpenAI({
      baseURL: `${stand.apis[0].url}/v1`,
      apiKey,
      maxRetries,
    });

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 100,
      env: {
        RELAY_API_KEYS: `alice:${sha256('the-key-of-alice')}`,
        RELAY_CHAT_MODELS: MODEL,
      },
    });
    alice = clientOf('the-key-of-alice');
  });
  afterEach(async () => {
    await stand.clearFaults();
    await stand.reset();
    await stand.configure({ turn_ms: 1 });
  });
  afterAll(() => stand.stop());

  const bodies = async () =>
    (await stand.requests()).map(({ body }) => body as Record<string, unknown>);
  const chunksOf = async (
    stream: AsyncIterable<ChatCompletionChunk>,
  ): Promise<ChatCompletionChunk[]> => {
    const chunks: ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  };
  const textIn = (chunks: readonly ChatCompletionChunk[]) =>
    chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  const refusal = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof OpenAI.APIError)) throw error;
    const { status, code, param, type, message, headers } = error;
    return { status, code, param, type, message, headers };
  };

  it('keeps the metadata with a chat on record, which lists find by it', async () => {
    const options = { headers: { 'Idempotency-Key': 'marked' } };
    const metadata = { customer: '43' };
    await alice.chat.completions.create({ ...hello, metadata }, options);
    const list = await stand
      .client()
      .as('the-key-of-alice')
      .get('/api/v1/chat?metadata[customer]=43');
    expect(list.body.data).toMatchObject([{ metadata }]);
  });

  it('names metadata that has too many pairs', async () => {
    const pairs = Array.from({ length: 17 }, (_, at) => [`k${at}`, 'v']);
    const metadata = Object.fromEntries(pairs) as Record<string, string>;
    expect(
      await refusal(alice.chat.completions.create({ ...hello, metadata })),
    ).toMatchObject({ status: 400, param: 'metadata' });
  });

  it('creates a completion in the form of OpenAI', async () => {
    const completion = await alice.chat.completions.create({
      ...hello,
      user: 'u1',
      metadata: { a: 'b' },
      presence_penalty: 0.5,
    });
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-\w+$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: MODEL,
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          logprobs: null,
          message: { role: 'assistant', refusal: null, annotations: [] },
        },
      ],
      usage: {
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
      },
    });
    expect(completion.choices[0].message.content).toBeTruthy();
    expect((await bodies())[0]).toMatchObject({ model: MODEL });
  });

  it('streams the same text, and the usage if it is asked for', async () => {
    const whole = await alice.chat.completions.create(hello);
    const plain = await chunksOf(
      await alice.chat.completions.create({ ...hello, stream: true }),
    );
    expect(textIn(plain)).toBe(whole.choices[0].message.content);
    expect(plain[0].choices[0].delta.role).toBe('assistant');
    expect(plain.at(-1)!.choices[0].finish_reason).toBe('stop');
    expect(new Set(plain.map(({ id }) => id)).size).toBe(1);
    const counted = await chunksOf(
      await alice.chat.completions.create({
        ...hello,
        stream: true,
        stream_options: { include_usage: true },
      }),
    );
    expect(counted.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    expect(counted[0].usage).toBeNull();
  });

  it('sends data alone in a stream, with [DONE] at its end', async () => {
    const response = await alice.chat.completions
      .create({ ...hello, stream: true })
      .asResponse();
    const text = await response.text();
    expect(response.headers.get('content-type')).toMatch('text/event-stream');
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines.filter((line) => !/^(data: |:)/.test(line))).toEqual([]);
    expect(lines.at(-1)).toBe('data: [DONE]');
  });

  it('passes sampling to the model, and reports a text that its limit cut', async () => {
    const { choices } = await alice.chat.completions.create({
      model: MODEL,
      messages: user('Tell me about the history of jajangmyeon'),
      tool_choice: 'none',
      temperature: 0.3,
      top_p: 0.9,
      max_completion_tokens: 4_000,
      stop: ['END'],
      logprobs: true,
      store: true,
    });
    expect(choices[0].logprobs).toBeNull();
    expect(choices[0].finish_reason).toBe('stop');
    expect((await bodies())[0]).toMatchObject({
      temperature: 0.3,
      top_p: 0.9,
      max_output_tokens: 4_000,
    });
    await stand.fault({
      kind: 'incomplete',
      reason: 'max_output_tokens',
      fraction: 0.5,
      count: 2,
    });
    const cut = await alice.chat.completions.create(hello);
    expect(cut.choices[0].finish_reason).toBe('length');
    const chunks = await chunksOf(
      await alice.chat.completions.create({ ...hello, stream: true }),
    );
    expect(chunks.at(-1)!.choices[0].finish_reason).toBe('length');
  });

  it('leaves out sampling that the endpoint refuses', async () => {
    await stand.configure({
      models: { [MODEL]: { refuses: ['temperature'] } },
    });
    const { choices } = await alice.chat.completions.create({
      ...hello,
      temperature: 0.3,
    });
    expect(choices[0].message.content).toBeTruthy();
  });

  it.each([false, true])(
    'parses an answer in the form of response_format (stream: %s)',
    async (stream) => {
      const Facts = z.object({ title: z.string() });
      const section = JSON.stringify({ text: 'Kimchi is old.' });
      const body = {
        model: MODEL,
        messages: user(`<data name="sections">\n${section}\n</data>`),
        // The sandbox knows by the name that it is to fill the schema.
        response_format: zodResponseFormat(Facts, 'research_object'),
      };
      const { choices } = stream
        ? await alice.chat.completions.stream(body).finalChatCompletion()
        : await alice.chat.completions.parse(body);
      expect(choices[0].message.parsed).toEqual({ title: 'Kimchi is old.' });
    },
  );

  it.each([false, true])(
    'runs the functions of the caller by runTools (stream: %s)',
    async (stream) => {
      const cities: string[] = [];
      const tools = [
        {
          ...GET_WEATHER,
          function: {
            ...GET_WEATHER.function,
            parse: JSON.parse as (input: string) => { city: string },
            function: ({ city }: { city: string }) => {
              cities.push(city);
              return `It is 3 degrees in ${city}.`;
            },
          },
        },
      ];
      const body = {
        model: MODEL,
        messages: user(call('get_weather', { city: 'Seoul' })),
        tools: tools as never[],
      };
      const runner = stream
        ? alice.chat.completions.runTools({ ...body, stream: true })
        : alice.chat.completions.runTools(body);
      expect(await runner.finalContent()).toMatch('3 degrees in Seoul');
      expect(cities).toEqual(['Seoul']);
    },
  );

  it('hands calls back in order, and runs its own tools itself', async () => {
    const { choices } = await alice.chat.completions.create({
      model: MODEL,
      messages: user(
        call('get_weather', { city: 'Seoul' }) +
          call('get_weather', { city: 'Busan' }),
      ),
      tools: [GET_WEATHER],
    });
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        tool_calls: [
          { type: 'function', function: { arguments: '{"city":"Seoul"}' } },
          { type: 'function', function: { arguments: '{"city":"Busan"}' } },
        ],
      },
    });
    const researched = await alice.chat.completions.create({
      model: MODEL,
      messages: user(research('The history of kimchi')),
      tools: [GET_WEATHER],
    });
    const [{ message, finish_reason }] = researched.choices;
    expect(finish_reason).toBe('stop');
    expect(message.content).toBeTruthy();
    const [citation] = message.annotations!;
    const points = Array.from(message.content!).length;
    expect(citation).toMatchObject({
      type: 'url_citation',
      url_citation: { url: expect.stringMatching(/^https?:/) },
    });
    for (const { url_citation: at } of message.annotations!) {
      expect(at.start_index).toBeGreaterThanOrEqual(0);
      expect(at.end_index).toBeGreaterThanOrEqual(at.start_index);
      expect(at.end_index).toBeLessThanOrEqual(points);
    }
  });

  it('puts a function of the caller before a tool of the same name', async () => {
    const { choices } = await alice.chat.completions.create({
      model: MODEL,
      messages: user(call('deep_research', { city: 'Seoul' })),
      tools: [
        {
          ...GET_WEATHER,
          function: { ...GET_WEATHER.function, name: 'deep_research' },
        },
      ],
    });
    expect(choices[0].finish_reason).toBe('tool_calls');
  });

  it('refuses by name what it cannot honour', async () => {
    const create = (more: object) =>
      refusal(alice.chat.completions.create({ ...hello, ...more }));
    for (const [more, code, param] of [
      [{ n: 2 }, 'unsupported_parameter', 'n'],
      [{ logit_bias: { 5: 1 } }, 'unsupported_parameter', 'logit_bias'],
      [{ nonsense: 1 }, 'unknown_parameter', 'nonsense'],
      [{ messages: undefined }, 'missing_required_parameter', 'messages'],
      [{ temperature: 'hot' }, 'invalid_type', 'temperature'],
      [{ messages: [{ role: 'user' }] }, '', 'messages[0].content'],
    ] as const) {
      const refused = await create(more);
      expect(refused).toMatchObject({
        status: 400,
        type: 'invalid_request_error',
        param,
        ...(code && { code }),
      });
    }
    const choose = { type: 'function', function: { name: 'unknown' } };
    expect(
      await create({ tools: [GET_WEATHER], tool_choice: choose }),
    ).toMatchObject({ status: 400, param: 'tool_choice.function.name' });
    expect(
      await create({ tools: [GET_WEATHER, GET_WEATHER], stream: true }),
    ).toMatchObject({ status: 400, param: 'tools[1].function.name' });
    expect(await create({ model: 'no-such-model' })).toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    });
    expect(
      await refusal(clientOf('wrong').chat.completions.create(hello)),
    ).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect((await stand.stats()).creates).toBe(0);
  });

  it('ends a stream that breaks off after research was paid with the report', async () => {
    await stand.fault({
      kind: 'cut',
      after_events: 6,
      count: 0,
      match: { body: 'function_call_output' },
    });
    const chunks = await chunksOf(
      await alice.chat.completions.create({
        model: MODEL,
        messages: user(research('The history of kimchi')),
        stream: true,
      }),
    );
    const text = chunks
      .map(({ choices: [choice] }) => choice?.delta.content ?? '')
      .join('');
    const client = stand.client().as('the-key-of-alice');
    const runs = '/api/v1/tool-invocations';
    const list = await client.get(`${runs}?limit=1`);
    const { invocation_id: id } = list.body.data[0];
    const report = (await client.get(`${runs}/${id}`)).body.output_text;
    expect(report.length).toBeGreaterThan(200);
    expect(text.endsWith(report)).toBe(true);
    expect(text.length).toBeGreaterThan(report.length);
    expect(chunks.at(-1)!.choices[0].finish_reason).toBe('stop');
  });

  it('reports a failure of the model with its code, in a stream too', async () => {
    const fail = () =>
      stand.fault({ kind: 'failed', code: 'server_error', message: 'secret' });
    await fail();
    const failed = await refusal(alice.chat.completions.create(hello));
    expect(failed).toMatchObject({ status: 502, code: 'upstream_failed' });
    expect(failed.message).not.toMatch('secret');
    await fail();
    const streamed = await refusal(
      alice.chat.completions
        .create({ ...hello, stream: true })
        .then((stream) => chunksOf(stream)),
    );
    expect(streamed).toMatchObject({ code: 'upstream_failed' });
  });

  it.each([false, true])(
    'ends the turn of the model when the client leaves (stream: %s)',
    async (stream) => {
      await stand.configure({ turn_ms: 3_600_000 });
      const controller = new AbortController();
      const ended = alice.chat.completions
        .create({ ...hello, stream }, { signal: controller.signal })
        .then(async (reply) => {
          if (Symbol.asyncIterator in reply) await chunksOf(reply);
        })
        .catch(() => undefined);
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
    },
  );

  it('answers an idempotency key once', async () => {
    const options = { headers: { 'Idempotency-Key': 'once' } };
    const body = { ...hello, tools: [GET_WEATHER] };
    const first = await alice.chat.completions.create(body, options);
    const asked = (await bodies()).length;
    const again = await alice.chat.completions.create(body, options);
    expect({ ...again }).toEqual({ ...first });
    expect((await bodies()).length).toBe(asked);
    expect(
      await refusal(
        alice.chat.completions.create({ ...body, stream: true }, options),
      ),
    ).toMatchObject({ status: 400, param: 'stream' });
  });

  it('is a model of the Agents SDK', async () => {
    const { OpenAIChatCompletionsModel } = await import('@openai/agents');
    const model = new OpenAIChatCompletionsModel(alice as never, MODEL);
    const { whole, streamed, cities } = await runWeatherAgent(model);
    expect(whole).toMatch('3 degrees in Seoul');
    expect(streamed).toMatch('3 degrees in Seoul');
    expect(cities).toEqual(['Seoul', 'Seoul']);
  });
});

describe('tools of Sonde, chats that wait, and limits, by the SDK of OpenAI', () => {
  const callLog = new ToolCallLog();
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 100,
      toolbox: new Toolbox(testTools('plain.tool.ts', 'risky.tool.ts')),
      env: {
        ...callLog.env,
        RELAY_API_KEYS: `alice:${sha256('the-key-of-alice')}`,
        RELAY_CHAT_MODELS: MODEL,
      },
    });
  });
  afterEach(async () => {
    callLog.clear();
    await stand.reset();
  });
  afterAll(async () => {
    await stand.stop();
    callLog.remove();
  });

  const clientOf = (url: string) =>
    new OpenAI({
      baseURL: `${url}/v1`,
      apiKey: 'the-key-of-alice',
      maxRetries: 0,
    });

  it('says what a chat waits for, and the chat continues with the decision', async () => {
    const { choices, ...rest } = await clientOf(
      stand.apis[0].url,
    ).chat.completions.create({
      model: MODEL,
      messages: user(call('delete_note', { word: 'a' })),
    });
    expect(choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'This needs your approval: delete_note.' },
    });
    const { sonde } = rest as unknown as {
      sonde: {
        chat_id: string;
        required_action: { approvals: { call_id: string }[] };
      };
    };
    const [{ call_id }] = sonde.required_action.approvals;
    const client = stand.client().as('the-key-of-alice');
    const path = `/api/v1/chat/${sonde.chat_id}`;
    const approvals = [{ call_id, approve: true }];
    await client.post(`${path}/approvals`, { approvals });
    await until(
      'the chat to be completed',
      async (saw) => saw((await client.get(path)).body).status === 'completed',
    );
    expect(callLog.entries()).toHaveLength(1);
  });

  it('counts requests of a key, and says when to try again', async () => {
    const limited = await stand.addApi({
      RELAY_KEY_LIMITS: 'requests_per_minute:1',
    });
    const client = clientOf(limited.url);
    const errors: unknown[] = [];
    // The window may end between two of them.
    for (let count = 0; count < 6; count += 1)
      await client.chat.completions
        .create(hello)
        .catch((error: unknown) => errors.push(error));
    const error = errors[0] as InstanceType<typeof OpenAI.APIError>;
    expect(error).toMatchObject({
      status: 429,
      code: 'rate_limited',
      type: 'rate_limit_error',
    });
    expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0);
  });
});
