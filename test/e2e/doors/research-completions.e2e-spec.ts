import { createHash } from 'node:crypto';
import OpenAI from 'openai';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Client } from '../../support/client';
import { openAi, refusal } from '../../support/openai/openai-client';
import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const HOUR = 3_600_000;
const RUNS = '/api/v1/tool-invocations';
const KEY = 'the-key-of-alice';
const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');
const user = (content: string) => ({ role: 'user' as const, content });
const ask = (question: string) => ({
  model: 'o3-deep-research',
  messages: [user(question)],
});
const FUNCTION = {
  type: 'function' as const,
  function: { name: 'search_web', parameters: { type: 'object' } },
};

describe('research by chat completions', () => {
  let stand: Stand;
  let admin: Client;
  let alice: OpenAI;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      researchMs: 100,
      env: { RELAY_API_KEYS: `alice:${sha256(KEY)}` },
    });
    const { body } = await keysCommand(
      { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' },
      'create',
      'root',
      '--scopes',
      'admin',
    );
    admin = stand.client().as(body.key);
    alice = connect(KEY);
  });
  afterEach(async () => {
    await stand.clearFaults();
    await stand.reset();
    await stand.configure({ research_ms: 100 });
  });
  afterAll(() => stand.stop());

  const connect = (key: string, options = {}) =>
    openAi(stand.apis[0].url, key, options);
  const make = async (...scopes: string[]): Promise<OpenAI> => {
    const { body } = await admin.post('/admin/api/keys', {
      name: 'made',
      scopes,
    });
    return connect(body.key);
  };
  const creates = async () => (await stand.stats()).creates;
  const hold = () => stand.configure({ research_ms: HOUR });
  const rest = (api = 0) => stand.client(api).as(KEY);
  const record = async (id: string) =>
    (await rest().get(`${RUNS}/${id.replace('chatcmpl-', 'inv_')}`)).body;
  const chunksOf = async (
    stream: AsyncIterable<ChatCompletionChunk>,
  ): Promise<ChatCompletionChunk[]> => {
    const chunks: ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  };
  const deltasOf = (chunks: readonly ChatCompletionChunk[]) =>
    chunks.flatMap(
      ({ choices: [choice] }) =>
        choice as unknown as {
          delta: {
            content?: string;
            reasoning_content?: string;
            annotations?: object[];
          };
        },
    );
  const textIn = (chunks: readonly ChatCompletionChunk[]) =>
    deltasOf(chunks)
      .map((choice) => choice?.delta.content ?? '')
      .join('');
  const annotationsOf = (citations: object[]) =>
    citations.map((citation) => ({
      type: 'url_citation',
      url_citation: citation,
    }));

  it('gives the cited report of one run, which the other doors show too', async () => {
    const completion = await alice.chat.completions.create({
      model: 'o3-deep-research',
      messages: [
        { role: 'system', content: 'Be brief.' },
        user('Who made it?'),
        { role: 'assistant', content: 'Koreans.' },
        user('The history of kimchi'),
      ],
    });
    const { status, output_text, citations, question, usage } = await record(
      completion.id,
    );
    expect([status, question]).toEqual(['completed', 'The history of kimchi']);
    expect(citations.length).toBeGreaterThan(0);
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'o3-deep-research',
      choices: [
        {
          finish_reason: 'stop',
          message: {
            role: 'assistant',
            content: output_text,
            annotations: annotationsOf(citations),
          },
        },
      ],
      usage: {
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        total_tokens: usage.total_tokens,
      },
    });
    const response = await alice.responses.retrieve(
      completion.id.replace('chatcmpl-', 'resp_'),
    );
    expect(response.output_text).toBe(output_text);
    const sent = JSON.stringify((await stand.requests())[0].body);
    for (const text of ['Be brief.', 'Who made it?', 'Koreans.'])
      expect(sent).toContain(text);
    expect(await creates()).toBe(1);
  });

  it('streams the steps as thoughts, then the report, its citations and the usage', async () => {
    const chunks = await chunksOf(
      await alice.chat.completions.create({
        ...ask('The history of tea'),
        stream: true,
        stream_options: { include_usage: true },
      }),
    );
    expect(chunks[0].choices[0].delta.role).toBe('assistant');
    const { output_text, citations, usage } = await record(chunks[0].id);
    expect(textIn(chunks)).toBe(output_text);
    const deltas = deltasOf(chunks).map((choice) => choice?.delta ?? {});
    const thoughts = deltas.findLastIndex((delta) => delta.reasoning_content);
    const answer = deltas.findIndex((delta) => delta.content);
    expect(thoughts).toBeGreaterThan(0);
    expect(answer).toBeGreaterThan(thoughts);
    expect(
      deltas.map((delta) => delta.reasoning_content ?? '').join(''),
    ).toMatch(/Search: .*\n\n/);
    expect(deltas.flatMap((delta) => delta.annotations ?? [])).toEqual(
      annotationsOf(citations),
    );
    expect(chunks.at(-2)!.choices[0].finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { total_tokens: usage.total_tokens },
    });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(await creates()).toBe(1);
  });

  it('sends data and comments alone in a stream, with [DONE] at its end', async () => {
    const response = await alice.chat.completions
      .create({ ...ask('The history of salt'), stream: true })
      .asResponse();
    const lines = (await response.text())
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.filter((line) => !/^(data: |:)/.test(line))).toEqual([]);
    expect(lines.at(-1)).toBe('data: [DONE]');
  });

  it('is an error where research failed, which nothing repeats by itself', async () => {
    await stand.fault({
      kind: 'failed',
      code: 'server_error',
      message: 'secret',
      count: 2,
    });
    const sdk = connect(KEY, { maxRetries: 2 });
    const failed = await refusal(sdk.chat.completions.create(ask('Kimchi')));
    expect(failed).toMatchObject({
      status: 400,
      code: 'upstream_failed',
      type: 'server_error',
    });
    expect(failed.headers?.get('x-should-retry')).toBe('false');
    expect(failed.message).not.toContain('secret');
    expect(await creates()).toBe(1);
    const streamed = await refusal(
      sdk.chat.completions
        .create({ ...ask('Kimchi'), stream: true })
        .then(chunksOf),
    );
    expect(streamed).toMatchObject({ code: 'upstream_failed' });
    expect(await creates()).toBe(2);
  });

  it('is an error where the run was cancelled or deleted', async () => {
    await hold();
    for (const [end, code] of [
      ['cancel', 'cancelled'],
      ['delete', 'response_not_found'],
    ] as const) {
      const stream = await alice.chat.completions.create({
        ...ask(`The history of hangul, ${end}`),
        stream: true,
      });
      const read = async (): Promise<void> => {
        for await (const { id, choices } of stream) {
          if (!choices[0].delta.role) continue;
          const path = `${RUNS}/${id.replace('chatcmpl-', 'inv_')}`;
          if (end === 'cancel') await rest().post(`${path}/cancel`);
          else await rest().request('DELETE', path);
        }
      };
      expect(await refusal(read())).toMatchObject({ code });
    }
  });

  it('says of a report that was cut off that it was, and why', async () => {
    await stand.fault({
      kind: 'incomplete',
      reason: 'max_output_tokens',
      fraction: 0.5,
      count: 2,
    });
    const sonde = { error: { code: 'max_output_tokens' } };
    const completion = await alice.chat.completions.create(ask('Kimchi'));
    expect(completion).toMatchObject({
      choices: [{ finish_reason: 'length' }],
      sonde,
    });
    expect(completion.choices[0].message.content).toMatch(/\S/);
    const chunks = await chunksOf(
      await alice.chat.completions.create({ ...ask('Tea'), stream: true }),
    );
    expect(chunks.at(-1)).toMatchObject({
      choices: [{ finish_reason: 'length' }],
      sonde,
    });
  });

  it.each([false, true])(
    'goes on when its reader leaves, and a repetition joins it (stream: %s)',
    async (stream) => {
      const match = { method: 'POST', path: '/responses' };
      await stand.fault({ kind: 'hang', after_create: true, match });
      const body = { ...ask('The history of soy sauce'), stream };
      const path = '/v1/chat/completions';
      const patience = new AbortController();
      const { signal } = patience;
      const left = rest().request('POST', path, { body, signal });
      left.catch(() => undefined);
      await until('one purchase', async (saw) => saw(await creates()) === 1);
      patience.abort();
      await expect(left).rejects.toThrow('abort');
      // Whether it comes before the end of the run or after it.
      const retry = { 'x-stainless-retry-count': '1' };
      const again = rest(1).post(path, body, retry);
      await stand.clearFaults();
      const { status, body: reply } = await again;
      expect(status).toBe(200);
      expect(JSON.stringify(reply)).toMatch(/finish_reason[\\":]+stop/);
      expect(await creates()).toBe(1);
    },
  );

  it('joins the run when the SDK repeats a request whose reply was lost', async () => {
    const counts: (string | null)[] = [];
    const lossy: typeof fetch = async (url, init) => {
      counts.push(new Headers(init?.headers).get('x-stainless-retry-count'));
      const reply = await fetch(url, init);
      if (counts.length > 1) return reply;
      await reply.text();
      throw new TypeError('the connection was lost');
    };
    const sdk = connect(KEY, { maxRetries: 2, fetch: lossy });
    const completion = await sdk.chat.completions.create(ask('Hangul'));
    expect(completion.choices[0].finish_reason).toBe('stop');
    expect(counts).toEqual(['0', '1']);
    expect(await creates()).toBe(1);
  });

  it.each([false, true])(
    'buys once for an idempotency key (stream: %s)',
    async (stream) => {
      const headers = { 'idempotency-key': `once ${stream}` };
      const path = '/v1/chat/completions';
      const body = { ...ask('The history of salt'), stream };
      const first = await rest().post(path, body, headers);
      const again = await rest(1).post(path, body, headers);
      const idOf = (reply: { body: unknown }) =>
        /chatcmpl-[0-9a-f]{32}/.exec(JSON.stringify(reply.body))?.[0];
      expect(idOf(first)).toBeDefined();
      expect(idOf(again)).toBe(idOf(first));
      const other = await rest().post(path, { ...body, seed: 1 }, headers);
      expect(other).toMatchObject({
        status: 400,
        body: { error: { code: 'idempotency_mismatch' } },
      });
      expect(await creates()).toBe(1);
    },
  );

  it('forgets what is not to be stored once it was read', async () => {
    const { id } = await alice.chat.completions.create({
      ...ask('The history of tea'),
      store: false,
    });
    const path = `${RUNS}/${id.replace('chatcmpl-', 'inv_')}`;
    await until(
      'the run to be removed',
      async (saw) => saw(await rest().get(path)).status === 404,
    );
  });

  it('refuses by name what research cannot honour, before anything is bought', async () => {
    const image = {
      type: 'image_url',
      image_url: { url: 'https://a.example' },
    };
    for (const [more, code, param] of [
      [{ n: 2 }, 'unsupported_parameter', 'n'],
      [{ nonsense: 1 }, 'unknown_parameter', 'nonsense'],
      [{ messages: undefined }, 'missing_required_parameter', 'messages'],
      [{ messages: [user('x'.repeat(32_001))] }, 'invalid_value', 'messages'],
      [
        { messages: [{ role: 'user', content: [image] }] },
        'unsupported_parameter',
        'messages[0].content[0]',
      ],
      [
        {
          tools: [FUNCTION],
          tool_choice: { type: 'function', function: { name: 'search_web' } },
        },
        'unsupported_parameter',
        'tool_choice',
      ],
    ] as const) {
      const create = alice.chat.completions.create({
        ...ask('Why?'),
        ...more,
      } as never);
      expect(await refusal(create)).toMatchObject({ status: 400, code, param });
    }
    expect(await creates()).toBe(0);
  });

  it('keeps to the scopes of the key for each kind of model', async () => {
    const researches = await make('research');
    const chats = await make('chat');
    const chat = { model: 'gpt-4o', messages: [user('Hello')] };
    expect(
      await refusal(chats.chat.completions.create(ask('Why?'))),
    ).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect(
      await refusal(researches.chat.completions.create(chat)),
    ).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect(await creates()).toBe(0);
    const { choices } = await chats.chat.completions.create(chat);
    expect(choices[0].message.content).toBeTruthy();
    const report = await researches.chat.completions.create({
      ...ask('Kimchi'),
      model: 'o4-mini-deep-research-2025-06-26',
    });
    expect(report.choices[0].finish_reason).toBe('stop');
  });

  // The requests are those of Open WebUI 0.12: it takes what it adds for itself out of them.
  it('serves what Open WebUI asks: models, a streamed report, a title by the task model', async () => {
    const headers = { 'x-openwebui-user-id': 'u1' };
    const { body: models } = await rest().get('/v1/models', headers);
    const names = models.data.map(({ id }: { id: string }) => id);
    const [task] = names;
    expect(task).toBe('gpt-4o');
    expect(names).toContain('sonde-research');
    const tools = Array.from({ length: 28 }, (_, index) => ({
      type: 'function',
      function: {
        name: `builtin_${index}`,
        description: 'A built-in tool.',
        parameters: { type: 'object', properties: {} },
      },
    }));
    const research = {
      model: 'sonde-research',
      messages: [user('The history of kimchi')],
      stream: true,
    };
    const streamed = [];
    for (const body of [research, { ...research, tools }])
      streamed.push(await rest().post('/v1/chat/completions', body, headers));
    for (const { status, body } of streamed) {
      expect(status).toBe(200);
      expect(body).toContain('"reasoning_content"');
      expect(body).toContain('"annotations"');
      expect(body).toMatch(/data: \[DONE\]\n\n$/);
    }
    expect(streamed[0].body).not.toContain('"sonde"');
    expect(streamed[1].body).toContain('"param":"tools"');
    expect(await creates()).toBe(2);
    const title = await rest().post(
      '/v1/chat/completions',
      {
        model: task,
        messages: [user('### Task:\nGenerate a concise, 3-5 word title')],
        stream: false,
        max_completion_tokens: 1_000,
      },
      headers,
    );
    expect(title.body.choices[0].message.content).toMatch(/\S/);
    expect(await creates()).toBe(2);
  });
});
