import type { SandboxUnderTest } from './testing/sandbox-under-test';
import {
  researchTool,
  sandboxUnderTest,
  until,
} from './testing/sandbox-under-test';

const turn = { model: 'gpt-4o', input: 'hello' };

interface Reply {
  status: number;
  body: Record<string, unknown>;
}

describe('as local servers are', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterEach(() => s.reset());
  afterAll(() => s.close());

  const post = async (path: string, body: object): Promise<Reply> => {
    const reply = await s.post(path, body);
    return {
      status: reply.status,
      body: (await reply.json()) as Reply['body'],
    };
  };

  describe('strict_items', () => {
    const message = { role: 'assistant', content: 'Hi.' };

    it.each(['user', 'assistant', 'system'])(
      'refuses a message of %s without a type',
      async (role) => {
        await s.config({ strict_items: true });
        const input = [{ role, content: 'Hi.' }];
        expect(await post('/v1/responses', { ...turn, input })).toEqual({
          status: 400,
          body: {
            error: {
              message: "Cannot determine type of 'item'",
              type: 'invalid_request_error',
              param: null,
              code: 400,
            },
          },
        });
      },
    );

    it('takes typed items and plain text', async () => {
      await s.config({ strict_items: true });
      const input = [{ type: 'message', ...message }];
      const typed = await post('/v1/responses', { ...turn, input });
      const text = await post('/v1/responses', turn);
      expect([typed.status, text.status]).toEqual([200, 200]);
    });

    it('is off until it is set', async () => {
      const reply = await post('/v1/responses', { ...turn, input: [message] });
      expect(reply.status).toBe(200);
    });
  });

  describe('background', () => {
    const request = { ...turn, background: true };

    it('is taken and not done: the reply is the whole answer', async () => {
      await s.config({ background: 'ignored' });
      const { body } = await post('/v1/responses', request);
      expect(body).toMatchObject({ background: false, status: 'completed' });
    });

    it('is refused, or done, as before', async () => {
      const done = await post('/v1/responses', request);
      expect(done.body).toMatchObject({ background: true, status: 'queued' });
      await s.config({ background: false });
      expect((await post('/v1/responses', request)).status).toBe(400);
    });

    it('is refused in the words of a server that stores nothing', async () => {
      await s.config({ background: 'unstored' });
      expect(await post('/v1/responses', request)).toMatchObject({
        status: 400,
        body: {
          error: {
            message: expect.stringContaining(
              'VLLM_ENABLE_RESPONSES_API_STORE=1',
            ) as string,
            param: 'background',
            code: 400,
          },
        },
      });
    });

    it('is not done on a stream either, which ends the answer with its reader', async () => {
      await s.config({ background: 'ignored' });
      await s.fault({ kind: 'stay', status: 'in_progress' });
      const reply = await s.post('/v1/responses', { ...request, stream: true });
      const reader = reply.body!.getReader();
      await reader.read();
      expect(await s.get('/sandbox/stats')).toMatchObject({ in_flight: 1 });
      await reader.cancel();
      await until(async () => {
        const { in_flight } = await s.get('/sandbox/stats');
        return in_flight === 0;
      });
    });
  });

  describe('stores: false', () => {
    it('finds no response afterwards, and continues none', async () => {
      await s.config({ stores: false });
      const { body } = await post('/v1/responses', turn);
      const found = await fetch(`${s.url}/v1/responses/${String(body.id)}`);
      expect([body.status, body.store, found.status]).toEqual([
        'completed',
        false,
        404,
      ]);
      const previous_response_id = body.id;
      expect(
        await post('/v1/responses', { ...turn, previous_response_id }),
      ).toMatchObject({
        status: 400,
        body: { error: { code: 'previous_response_not_found' } },
      });
    });
  });

  describe('schemas', () => {
    const schema = {
      type: 'object',
      properties: { year: { type: 'integer' } },
      required: ['year'],
      additionalProperties: false,
    };
    const format = { type: 'json_schema', name: 'when', schema };
    const chat = {
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'hello' }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'when', schema },
      },
    };

    it.each([
      ['all', true, true],
      ['chat_completions', false, true],
      ['responses', true, false],
      ['none', false, false],
    ])('%s are obeyed', async (schemas, atResponses, atCompletions) => {
      await s.config({ schemas });
      const response = await post('/v1/responses', {
        ...turn,
        text: { format },
      });
      const completion = await post('/v1/chat/completions', chat);
      expect([response.status, completion.status]).toEqual([200, 200]);
      const texts = [textOf(response), contentOf(completion)];
      expect(texts.map((text) => text.startsWith('{"year":'))).toEqual([
        atResponses,
        atCompletions,
      ]);
    });
  });

  describe('drops_tools', () => {
    const ask = { ...turn, input: 'Research the history of kimchi' };
    const chat = {
      model: 'gpt-4o',
      messages: [{ role: 'user', content: ask.input }],
    };
    const { type, ...definition } = researchTool;
    const tools = [researchTool];
    const chatTools = [{ type, function: definition }];

    it('reads no tool: no call, and no token more than without any', async () => {
      await s.config({ models: { 'gpt-4o': { drops_tools: true } } });
      const dropped = await post('/v1/responses', { ...ask, tools });
      const without = await post('/v1/responses', ask);
      expect(typesOf(dropped)).toEqual(['message']);
      expect(inputTokens(dropped)).toBe(inputTokens(without));
      const completion = await post('/v1/chat/completions', {
        ...chat,
        tools: chatTools,
      });
      expect(completion.body).toMatchObject({
        choices: [{ finish_reason: 'stop' }],
      });
      const bare = await post('/v1/chat/completions', chat);
      expect(inputTokens(completion)).toBe(inputTokens(bare));
    });

    it('reads and counts them otherwise', async () => {
      const read = await post('/v1/responses', { ...ask, tools });
      const without = await post('/v1/responses', ask);
      expect(typesOf(read)).toEqual(['function_call']);
      expect(inputTokens(read)).toBeGreaterThan(inputTokens(without) + 100);
    });
  });

  describe('thinks', () => {
    const chat = {
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'hello' }],
    };
    beforeEach(() => s.config({ models: { 'gpt-4o': { thinks: 100 } } }));

    it('before each answer, at the cost of its limit', async () => {
      const response = await post('/v1/responses', {
        ...turn,
        max_output_tokens: 1000,
      });
      expect(response.body).toMatchObject({
        status: 'completed',
        usage: { output_tokens_details: { reasoning_tokens: 100 } },
      });
      expect(typesOf(response)).toEqual(['reasoning', 'message']);
      const completion = await post('/v1/chat/completions', chat);
      expect(completion.body).toMatchObject({
        choices: [
          {
            finish_reason: 'stop',
            message: { reasoning_content: 'hmm '.repeat(100) },
          },
        ],
        usage: { completion_tokens_details: { reasoning_tokens: 100 } },
      });
      expect(contentOf(completion)).not.toBe('');
    });

    it('until it is cut off, without a word or a call', async () => {
      const response = await post('/v1/responses', {
        ...turn,
        input: 'Research the history of kimchi',
        tools: [researchTool],
        max_output_tokens: 60,
      });
      expect(response.body).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        usage: { output_tokens: 60 },
      });
      expect(typesOf(response)).toEqual(['reasoning']);
      const completion = await post('/v1/chat/completions', {
        ...chat,
        max_completion_tokens: 60,
      });
      expect(completion.body).toMatchObject({
        choices: [
          {
            finish_reason: 'length',
            message: { content: '', reasoning_content: 'hmm '.repeat(60) },
          },
        ],
        usage: { completion_tokens: 60 },
      });
    });

    it('in the open on a stream of completions', async () => {
      const reply = await s.post('/v1/chat/completions', {
        ...chat,
        stream: true,
      });
      const text = await reply.text();
      expect(text.indexOf('"reasoning_content":"hmm ')).toBeGreaterThan(0);
      expect(text.indexOf('"reasoning_content"')).toBeLessThan(
        text.lastIndexOf('"content"'),
      );
    });
  });

  describe('litellm', () => {
    const chat = { model: 'm', messages: [{ role: 'user', content: 'hello' }] };
    const tail =
      "\n\nLiteLLM: model group 'm' failed with the error above. No fallback was attempted.";
    const raw = (code: string | null, type: string) =>
      `{"error": {"message": "No.", "type": "${type}", "param": null, "code": ${JSON.stringify(code)}}}`;

    // As the two versions have answered.
    it.each<[string, string, number, string, string, string]>([
      [
        '1.106.2',
        'openai',
        400,
        '/v1/chat/completions',
        'litellm.BadRequestError: OpenAIException - No.',
        'invalid_request_error',
      ],
      [
        '1.106.2',
        'openai',
        404,
        '/v1/chat/completions',
        'litellm.BadRequestError: OpenAIException - No.',
        'invalid_request_error',
      ],
      [
        '1.108.7',
        'openai',
        404,
        '/v1/chat/completions',
        'litellm.NotFoundError: NotFoundError: OpenAIException - No.',
        'invalid_request_error',
      ],
      [
        '1.108.7',
        'openai',
        429,
        '/v1/chat/completions',
        'litellm.RateLimitError: RateLimitError: OpenAIException - No.',
        'throttling_error',
      ],
      [
        '1.108.7',
        'openai',
        400,
        '/v1/responses',
        `litellm.BadRequestError: OpenAIException - ${raw(null, 'invalid_request_error')}`,
        'invalid_request_error',
      ],
      [
        '1.108.7',
        'hosted_vllm',
        429,
        '/v1/chat/completions',
        `litellm.BadRequestError: Hosted_vllmException - ${raw('rate_limit_exceeded', 'requests')}`,
        'rate_limit_error',
      ],
      [
        '1.106.2',
        'deepseek',
        422,
        '/v1/responses',
        `litellm.BadRequestError: DeepseekException - ${raw(null, 'invalid_request_error')}`,
        'invalid_request_error',
      ],
    ])(
      'words as %s for %s a %i of %s',
      async (version, provider, status, path, begin, type) => {
        await s.config({ litellm: { version, provider } });
        await s.fault({ kind: 'status', status, message: 'No.' });
        expect(await post(path, { ...chat, ...turn, model: 'm' })).toEqual({
          status,
          body: {
            error: {
              message: begin + tail,
              type,
              param: null,
              code: String(status),
            },
          },
        });
      },
    );

    it('tells an overflow of the context', async () => {
      await s.config({ litellm: { version: '1.108.7', provider: 'openai' } });
      const message =
        'request (9 tokens) exceeds the available context size (8 tokens)';
      await s.fault({ kind: 'status', status: 400, message });
      const { body } = await post('/v1/chat/completions', chat);
      expect(body).toMatchObject({
        error: {
          message: `litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - ${message}\nmodel=m. context_window_fallbacks=None. fallbacks=None.\n\nSet 'context_window_fallback' - https://docs.litellm.ai/docs/routing#fallbacks${tail}`,
        },
      });
    });

    it('passes on what the endpoint refuses by itself', async () => {
      await s.config({ litellm: { version: '1.106.2', provider: 'openai' } });
      const { body } = await post('/v1/chat/completions', { ...chat, x: 1 });
      expect(body).toMatchObject({
        error: {
          message: `litellm.BadRequestError: OpenAIException - Unknown parameter: 'x'.${tail}`,
          param: 'x',
          code: '400',
        },
      });
    });
  });

  describe('context', () => {
    const input = ['one', 'two', 'three'].map((word) => ({
      type: 'message',
      role: 'user',
      content: `${word} `.repeat(100),
    }));
    const limit = (server: string) =>
      s.config({ context: { tokens: 200, server } });

    it.each([
      [
        'llama.cpp',
        'exceed_context_size_error',
        /^request \((\d+) tokens\) exceeds the available context size \(200 tokens\), try increasing it$/,
        { n_ctx: 200, n_prompt_tokens: expect.any(Number) as number },
      ],
      [
        'vllm',
        'BadRequestError',
        /^This model's maximum context length is 200 tokens\. However, you requested 0 output tokens and your prompt contains at least (\d+) input tokens/,
        {},
      ],
    ])('of %s is exceeded by name', async (server, type, message, more) => {
      await limit(server);
      const reply = await post('/v1/responses', { ...turn, input });
      expect(reply).toEqual({
        status: 400,
        body: {
          error: {
            message: expect.stringMatching(message) as string,
            type,
            param: null,
            code: 400,
            ...more,
          },
        },
      });
      expect((await post('/v1/responses', turn)).status).toBe(200);
    });

    it('of vllm holds the wanted output, too', async () => {
      await limit('vllm');
      const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
      const most = { ...chat, max_tokens: 190 };
      const more = { ...chat, max_tokens: 200 };
      const fits = await post('/v1/chat/completions', most);
      const refused = await post('/v1/chat/completions', more);
      expect([fits.status, refused.status]).toEqual([200, 400]);
    });

    it('of ollama is cut in silence, the oldest first', async () => {
      await limit('ollama');
      const reply = await post('/v1/responses', { ...turn, input });
      expect(reply.status).toBe(200);
      const last = await post('/v1/responses', {
        ...turn,
        input: input.slice(2),
      });
      expect(inputTokens(reply)).toBe(inputTokens(last));
    });
  });

  describe('slots', () => {
    it('let a request wait until the one before has left', async () => {
      await s.config({ slots: 1 });
      await s.fault({ kind: 'stay', status: 'in_progress' });
      const first = await s.post('/v1/responses', { ...turn, stream: true });
      const second = post('/v1/responses', turn);
      const left = new AbortController();
      const third = fetch(`${s.url}/v1/responses`, {
        method: 'POST',
        body: JSON.stringify(turn),
        signal: left.signal,
      });
      await until(async () => {
        const { requests } = await s.get<{ requests: unknown[] }>(
          '/sandbox/stats?path=/responses',
        );
        return requests.length === 3;
      });
      expect(await s.get('/sandbox/stats')).toMatchObject({ turns: 1 });
      left.abort();
      await expect(third).rejects.toThrow('aborted');
      await first.body!.cancel();
      expect((await second).status).toBe(200);
      expect((await post('/v1/responses', turn)).status).toBe(200);
      expect(await s.get('/sandbox/stats')).toMatchObject({ turns: 3 });
    });
  });

  describe('loading', () => {
    it('refuses so many requests, and lists the models meanwhile', async () => {
      await s.config({ loading: 2 });
      const models = await fetch(`${s.url}/v1/models`);
      const refused = await post('/v1/responses', turn);
      const again = await post('/v1/chat/completions', {});
      const taken = await post('/v1/responses', turn);
      expect([models.status, again.status, taken.status]).toEqual([
        200, 503, 200,
      ]);
      expect(refused).toEqual({
        status: 503,
        body: {
          error: {
            code: 503,
            message: 'Loading model',
            type: 'unavailable_error',
          },
        },
      });
    });
  });
});

interface Body {
  output: { type: string; content?: { text: string }[] }[];
  choices: { message: { content: string } }[];
  usage: { input_tokens?: number; prompt_tokens: number };
}

const bodyOf = ({ body }: Reply) => body as unknown as Body;
const typesOf = (reply: Reply) => bodyOf(reply).output.map(({ type }) => type);
const textOf = (reply: Reply) => bodyOf(reply).output[0].content![0].text;
const contentOf = (reply: Reply) => bodyOf(reply).choices[0].message.content;

function inputTokens(reply: Reply): number {
  const { input_tokens, prompt_tokens } = bodyOf(reply).usage;
  return input_tokens ?? prompt_tokens;
}
