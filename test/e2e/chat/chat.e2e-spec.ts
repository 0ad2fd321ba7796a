import { createHash } from 'node:crypto';
import { Client, Invocation, type Reply } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const KEY = { authorization: 'Bearer key-of-alice' };
const API_KEYS = `alice:${createHash('sha256').update('key-of-alice').digest('hex')}`;

const RESEARCH = 'o3-deep-research';
const FAILED = 'The chat request failed. Please retry later.';
const COULD_NOT_FINISH = {
  code: 'upstream_failed',
  message: 'The model could not finish.',
  retryable: true,
};
const UNAUTHORIZED =
  'The chat request failed. The model endpoint refused the credentials.';
const RESEARCH_FAILED = 'deep_research failed. Please retry later.';
const NO_TOOL = {
  tool_called: false,
  tool_name: null,
  research_summary: null,
};

const chat = (client: Client, body: object): Promise<Reply> =>
  client.post('/api/v1/chat', body, KEY);

/** `[sandbox: call NAME {json}]` makes the sandbox's model make exactly that call. */
const calling = (name: string, args: object | string): string =>
  `[sandbox: call ${name} ${typeof args === 'string' ? args : JSON.stringify(args)}]`;

const question = (research_question: string, more: object = {}) =>
  calling('deep_research', { research_question, ...more });

const ANSWER = {
  message: {
    role: 'assistant',
    contents: [{ type: 'text', text: expect.stringMatching(/\S/) }],
  },
};
/** These fields in the reply of an ended chat that used none of them. */
const NOTHING_ELSE = {
  cost: null,
  agent: null,
  contents: null,
  citations: null,
  sources: null,
  guardrail: null,
  status: 'completed',
  error: null,
  required_action: null,
  chat_id: null,
  invocation_token: null,
};

/** Native function calling, as the endpoint receives it. */
const NATIVE = {
  result: { type: 'function_call_output' },
  resultMark: 'function_call_output',
  lastTurn: { tool_choice: 'none' },
};
const PROMPTED = {
  result: { role: 'user' },
  resultMark: 'Tool result of',
  lastTurn: {},
};

describe.each([
  ['agents', NATIVE],
  ['responses', NATIVE],
  ['prompt', PROMPTED],
])('a chat with the engine "%s"', (engine, wire) => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 100,
      env: { RELAY_API_KEYS: API_KEYS, RELAY_CHAT_ENGINES: engine },
    });
    client = stand.client();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  /** Turns of the chat model and runs of research that reached the upstream. */
  const upstream = async () => {
    const bodies = (await stand.requests()).map(({ body }) => body);
    const ofResearch = ({ model }: { model: string }) => model === RESEARCH;
    return {
      turns: bodies.filter((body) => !ofResearch(body)),
      researches: bodies.filter(ofResearch),
    };
  };
  const read = async ({ body }: Reply, call = 0) => {
    const { invocation_id, invocation_token } = body.tool_calls[call];
    return new Invocation(client, invocation_id, invocation_token).read();
  };

  it('without tools the model answers', async () => {
    const { status, body } = await chat(client, { message: '안녕하세요' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...NO_TOOL,
      ...NOTHING_ELSE,
      ...ANSWER,
      content: expect.stringMatching(/\S/),
      tool_calls: [],
      response_id: expect.stringMatching(/^resp_/),
      usage: {
        input_tokens: expect.any(Number),
        output_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
      },
    });
    expect((await stand.stats()).creates).toBe(0);
  });

  it('a chat that needs research returns the answer, the report, and the call with its record', async () => {
    const message = '짜장면의 역사를 자세히 알려줘';
    const reply = await chat(client, { message });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      ...NOTHING_ELSE,
      ...ANSWER,
      citations: expect.any(Array),
      sources: expect.any(Array),
      content: expect.stringMatching(/\S/),
      tool_called: true,
      tool_name: 'deep_research',
      research_summary: expect.stringContaining('짜장면'),
      tool_calls: [
        {
          tool_name: 'deep_research',
          call_id: expect.stringMatching(/\S/),
          arguments: expect.objectContaining({ research_question: message }),
          invocation_id: expect.stringMatching(/^inv_/),
          invocation_token: expect.stringMatching(/^.{22,}$/),
          status: 'completed',
          error: null,
        },
      ],
      response_id: expect.stringMatching(/^resp_/),
      usage: expect.objectContaining({ total_tokens: expect.any(Number) }),
    });
    const { message: answer, citations, sources } = reply.body;
    expect(answer.contents[0].text).toBe(reply.body.content);
    expect(await read(reply)).toMatchObject({
      mode: 'background',
      status: 'completed',
      output_text: reply.body.research_summary,
      citations,
      sources,
    });
    expect((await stand.stats()).creates).toBe(1);
  });

  it('a request without tools sends no tools to the model', async () => {
    const { body } = await chat(client, {
      message: '짜장면의 역사를 자세히 알려줘',
      auto_tool_call: false,
    });
    expect(body).toMatchObject({ ...NO_TOOL, tool_calls: [] });
    const { turns, researches } = await upstream();
    expect(turns).toHaveLength(1);
    expect(turns[0]).not.toHaveProperty('tools');
    expect(researches).toEqual([]);
  });

  it('context and documents precede the message, and the research receives the documents', async () => {
    await chat(client, {
      message: '김치의 역사를 조사해 줘',
      context: ['발표에 쓴다.'],
      documents: [{ title: '메모', text: '김치는 겨울 음식이었다.' }],
    });
    const { turns, researches } = await upstream();
    expect(JSON.stringify(turns[0].input)).toMatch(
      /발표에 쓴다.*메모.*김치는 겨울 음식이었다.*김치의 역사를 조사해 줘/,
    );
    expect(JSON.stringify(researches[0].input)).toContain(
      '김치는 겨울 음식이었다.',
    );
  });

  it('earlier turns are part of the conversation, tool calls included', async () => {
    const text = (receivedText: string) => [
      { type: 'text', text: receivedText },
    ];
    const { status, body } = await chat(client, {
      message: '고마워',
      messages: [
        { role: 'system', contents: text('짧게 답하라.') },
        { role: 'user', contents: text('비빔밥의 유래는?') },
        {
          role: 'assistant',
          contents: [],
          tool_calls: [
            {
              type: 'function',
              id: 'call_1',
              function: {
                name: 'deep_research',
                arguments: { research_question: '비빔밥의 유래' },
              },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', contents: text('전주에서.') },
        { role: 'assistant', contents: text('전주에서 왔습니다.') },
      ],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject(NO_TOOL);
    const { turns } = await upstream();
    expect(JSON.stringify(turns[0].input)).toMatch(
      /짧게 답하라.*비빔밥의 유래는\?.*deep_research.*전주에서\..*전주에서 왔습니다.*고마워/,
    );
    if (wire === PROMPTED) return;
    expect(turns[0].input).toEqual([
      { type: 'message', role: 'system', content: '짧게 답하라.' },
      { type: 'message', role: 'user', content: '비빔밥의 유래는?' },
      {
        type: 'function_call',
        call_id: 'call_1',
        name: 'deep_research',
        arguments: JSON.stringify({ research_question: '비빔밥의 유래' }),
      },
      { type: 'function_call_output', call_id: 'call_1', output: '전주에서.' },
      { type: 'message', role: 'assistant', content: '전주에서 왔습니다.' },
      { type: 'message', role: 'user', content: '고마워' },
    ]);
  });

  it('a chat continues from its earlier turns without a new message', async () => {
    const contents = [{ type: 'text', text: '안녕하세요' }];
    const { status, body } = await chat(client, {
      messages: [{ role: 'user', contents }],
    });
    expect(status).toBe(200);
    expect(body.content).toMatch(/\S/);
  });

  it('the system prompt reaches the research and nothing else', async () => {
    const system_prompt = '두 문장으로 답하라.';
    await chat(client, { message: '김치의 역사를 조사해 줘', system_prompt });
    await chat(client, { message: '안녕하세요', system_prompt });
    const { turns, researches } = await upstream();
    expect(researches[0].instructions).toBe(system_prompt);
    expect(turns).toHaveLength(3);
    for (const turn of turns) {
      expect(turn).not.toHaveProperty('instructions');
      expect(JSON.stringify(turn.input)).not.toContain(system_prompt);
    }
  });

  it.each([
    [
      "the model's choice",
      { deliverable_format: 'json_outline' },
      'json_outline',
    ],
    ["the caller's, if the model has none", {}, 'markdown_report'],
    [
      "the caller's, if the model's is none",
      { deliverable_format: 'poem' },
      'markdown_report',
    ],
  ])('research uses the format that is %s', async (_, chosen, format) => {
    const reply = await chat(client, {
      message: question('The history of kimchi', chosen),
      deliverable_format: 'markdown_report',
    });
    expect((await read(reply)).deliverable_format).toBe(format);
  });

  it('all calls of one turn run, and the reply has their reports in order', async () => {
    const reply = await chat(client, {
      message: `${question('The history of kimchi')} ${question('The history of sourdough')}`,
    });
    const { tool_calls, research_summary } = reply.body;
    expect(
      tool_calls.map(
        (call: { arguments: { research_question: string } }) =>
          call.arguments.research_question,
      ),
    ).toEqual(['The history of kimchi', 'The history of sourdough']);
    const [first, second] = [await read(reply, 0), await read(reply, 1)];
    expect(research_summary).toBe(
      `${first.output_text}\n\n${second.output_text}`,
    );
    expect((await stand.stats()).creates).toBe(2);
  });

  it.each([
    ['a tool that does not exist', calling('weather', {}), 'UNKNOWN_TOOL', {}],
    [
      'arguments that are no JSON',
      calling('deep_research', '{"res'),
      'INVALID_ARGUMENTS',
      null,
    ],
    [
      'arguments that do not fit',
      question(''),
      'INVALID_ARGUMENTS',
      { research_question: '' },
    ],
  ])(
    'the model is informed that it called %s, and nothing runs',
    async (_, message, code, args) => {
      const { status, body } = await chat(client, { message });
      expect(status).toBe(200);
      expect(body).toMatchObject({ ...NO_TOOL, content: expect.any(String) });
      expect(body.content).not.toBe(FAILED);
      // A prompt-based model is asked to repair a call that cannot be parsed.
      const asked = wire === NATIVE || args !== null;
      const call = {
        arguments: args,
        invocation_id: null,
        invocation_token: null,
        status: null,
      };
      expect(body.tool_calls).toEqual(
        asked ? [expect.objectContaining(call)] : [],
      );
      const { turns, researches } = await upstream();
      expect(researches).toEqual([]);
      if (!asked) return;
      const emitted = turns.at(-1).input.at(-1);
      expect(emitted).toMatchObject(wire.result);
      expect(emitted.output ?? emitted.content).toContain(code);
    },
  );

  it('a model that never stops calling tools is stopped', async () => {
    const { status, body } = await chat(client, {
      message: '[sandbox: loop] The history of kimchi',
    });
    expect(status).toBe(200);
    expect(body.content).toMatch(/\S/);
    expect(body.tool_calls).toHaveLength(9);
    const { turns } = await upstream();
    expect(turns).toHaveLength(10);
    expect(turns.at(-1)).toMatchObject(wire.lastTurn);
    expect((await stand.stats()).creates).toBe(1);
  });

  it('failed research leads to a fallback answer', async () => {
    await stand.fault({ kind: 'failed', match: { model: RESEARCH } });
    const reply = await chat(client, { message: question('kimchi') });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      content: RESEARCH_FAILED,
      tool_called: true,
      tool_name: 'deep_research',
      research_summary: RESEARCH_FAILED,
      tool_calls: [{ status: 'failed', error: COULD_NOT_FINISH }],
      message: null,
      status: 'failed',
      error: COULD_NOT_FINISH,
    });
    expect((await read(reply)).error.code).toBe('upstream_failed');
  });

  it('a chat whose research is refused for its key asks for no retry', async () => {
    const match = { model: RESEARCH };
    await stand.fault({ kind: 'status', status: 401, count: 0, match });
    const { body } = await chat(client, { message: question('kimchi') });
    const error = {
      code: 'upstream_unauthorized',
      message: 'The model endpoint refused the credentials.',
      retryable: false,
    };
    const content = `deep_research failed. ${error.message}`;
    expect(body).toMatchObject({
      content,
      research_summary: content,
      tool_calls: [{ status: 'failed', error }],
      status: 'failed',
      error,
    });
  });

  it('the model answers when one of several runs of research fails', async () => {
    await stand.fault({
      kind: 'failed',
      match: { model: RESEARCH, body: 'sourdough' },
    });
    const reply = await chat(client, {
      message: `${question('The history of kimchi')} ${question('The history of sourdough')}`,
    });
    expect(reply.body.content).not.toBe(RESEARCH_FAILED);
    expect(reply.body.research_summary).toBe(
      (await read(reply, 0)).output_text,
    );
    expect(reply.body.tool_calls).toMatchObject([
      { status: 'completed', error: null },
      { status: 'failed', error: COULD_NOT_FINISH },
    ]);
    expect(reply.body).toMatchObject({ status: 'completed', error: null });
  });

  it('a transient failure of a model turn is retried', async () => {
    await stand.fault({
      kind: 'status',
      status: 503,
      match: { model: 'gpt-4o' },
    });
    const { body } = await chat(client, { message: '안녕하세요' });
    expect(body.content).not.toBe(FAILED);
    expect((await upstream()).turns).toHaveLength(2);
  });

  it.each([
    ['fails', { kind: 'status', status: 500 }, FAILED],
    ['is refused', { kind: 'status', status: 401 }, UNAUTHORIZED],
    ['breaks off', { kind: 'reset' }, FAILED],
    ['says nothing', { kind: 'empty' }, FAILED],
  ])(
    'a first turn that %s leads to a fallback answer',
    async (_, fault, content) => {
      await stand.fault({ ...fault, match: { model: 'gpt-4o' }, count: 0 });
      const { status, body } = await chat(client, { message: '안녕하세요' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        ...NO_TOOL,
        content,
        status: 'failed',
        error: { code: expect.any(String), message: expect.any(String) },
        tool_calls: [],
      });
    },
  );

  it('a failed last turn leads to the report as the answer', async () => {
    await stand.fault({
      kind: 'status',
      status: 400,
      match: { model: 'gpt-4o', body: wire.resultMark },
      count: 0,
    });
    const reply = await chat(client, { message: question('kimchi') });
    const { output_text } = await read(reply);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      content: output_text,
      research_summary: output_text,
      tool_called: true,
    });
  });

  it.each([400, 422])(
    'a chat never fails with an upstream that answers tools with %s',
    async (status) => {
      await stand.fault({ kind: 'refuse_tools', status, count: 0 });
      const reply = await chat(client, { message: '안녕하세요' });
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({
        ...NO_TOOL,
        content: expect.stringMatching(/\S/),
      });
    },
  );

  it('disconnecting does not stop research', async () => {
    await stand.fault({ kind: 'slow', ms: 700, match: { model: RESEARCH } });
    const shuttingDown = new AbortController();
    const left = client.request('POST', '/api/v1/chat', {
      body: { message: question('The history of kimchi') },
      headers: KEY,
      signal: shuttingDown.signal,
    });
    await until(
      'one research run to be created',
      async (saw) => saw(await stand.stats()).creates === 1,
    );
    shuttingDown.abort();
    await expect(left).rejects.toThrow();
    const [id] = Object.keys((await stand.stats()).creates_by_invocation);
    const path = `/api/v1/tool-invocations/${id}`;
    expect((await client.settled(path, KEY)).body).toMatchObject({
      status: 'completed',
      output_text: expect.stringMatching(/\S/),
    });
    const { body } = await client.get('/api/v1/tool-invocations', KEY);
    expect(body.data[0].invocation_id).toBe(id);
    expect((await upstream()).turns).toHaveLength(1);
  });

  it('disconnecting stops the turn of the model', async () => {
    await stand.configure({ turn_ms: 600_000 });
    const shuttingDown = new AbortController();
    const left = client.request('POST', '/api/v1/chat', {
      body: { message: '안녕하세요' },
      headers: KEY,
      signal: shuttingDown.signal,
    });
    await until(
      'a request to be in flight upstream',
      async (saw) => saw(await stand.stats()).in_flight === 1,
    );
    shuttingDown.abort();
    await expect(left).rejects.toThrow();
    await until(
      'no request to be in flight upstream',
      async (saw) => saw(await stand.stats()).in_flight === 0,
    );
  });

  it('an API key is required where keys are configured', async () => {
    const { status, body } = await client.post('/api/v1/chat', {
      message: '안녕하세요',
    });
    expect([status, body.code]).toEqual([401, 'missing_api_key']);
  });
});

describe('a chat that times out', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      workers: 0,
      env: {
        RELAY_API_KEYS: API_KEYS,
        RELAY_CHAT_WAIT_SECONDS: '1',
      },
    });
    client = stand.client();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  it('a model timeout leads to a fallback answer', async () => {
    const api = await stand.addApi({ RELAY_TIMEOUT_SECONDS: '0.5' });
    await stand.fault({ kind: 'hang', match: { model: 'gpt-4o' } });
    const { status, body } = await chat(new Client(api.url), {
      message: '안녕하세요',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...NO_TOOL, content: FAILED });
  });

  it('a research timeout is reported with the runs that continue and can be read later', async () => {
    const { status, body } = await chat(client, {
      message: question('The history of kimchi'),
    });
    expect(status).toBe(200);
    const [call] = body.tool_calls;
    expect(body).toMatchObject({
      content: expect.stringContaining(call.invocation_id),
      tool_called: true,
      tool_name: 'deep_research',
      research_summary: null,
    });
    expect(call.status).toBe('queued');
    await stand.addWorker();
    const { invocation_id, invocation_token } = call;
    const later = new Invocation(client, invocation_id, invocation_token);
    expect((await later.wait()).status).toBe('completed');
  });
});
