import { once } from 'node:events';
import { learntContext } from '../models/context-window';
import { LearntModels } from '../models/learnt-models';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../sandbox/testing/sandbox-under-test';
import { AppError } from '../../platform/errors';
import { loadConfig } from '../../config/load-config';
import { TokenCounter } from '../tokens/token-counter';
import { UpstreamClient } from '../upstream/upstream.client';
import { UpstreamError } from '../upstream/upstream-error';
import { CompletionClient } from './completion.client';
import { type CompletionRequest, RequestFormRefused } from './completion.types';

const schema = {
  name: 'research_gaps',
  schema: {
    type: 'object',
    properties: {
      sufficient: { type: 'boolean' },
      missing: { type: 'array', items: { type: 'string' } },
    },
    required: ['sufficient', 'missing'],
    additionalProperties: false,
  },
};
const GAPS = { sufficient: false, missing: ['the year'] };
const ANSWER = JSON.stringify(GAPS);

type Body = Record<string, unknown> & {
  messages?: { role: string; content: string }[];
  input?: { role: string; content: string }[];
};
interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** In place of a reply. */
  act?: (response: ServerResponse) => void;
}

const chat = (content: string, more: object = {}): Scripted => ({
  body: {
    model: 'served',
    choices: [
      {
        message: { role: 'assistant', content },
        finish_reason: 'stop',
        ...more,
      },
    ],
    usage: { prompt_tokens: 40, completion_tokens: 7, total_tokens: 47 },
  },
});
const response = (text: string, more: object = {}): Scripted => ({
  body: {
    id: 'resp_1',
    model: 'served',
    status: 'completed',
    output: [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      {
        type: 'message',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: { input_tokens: 40, output_tokens: 7, total_tokens: 47 },
    ...more,
  },
});
const refusal = (
  message: string,
  more: object = {},
  status = 400,
): Scripted => ({
  status,
  body: { error: { message, type: 'invalid_request_error', ...more } },
});
const NO_RESPONSES: Scripted = { status: 404, body: { detail: 'Not Found' } };

describe(CompletionClient.name, () => {
  let server: Server;
  let script: Scripted[];
  let requests: { path: string; body: Body }[];
  let upstream: UpstreamClient;
  let client: CompletionClient;
  let tokens: TokenCounter;
  let learnt: LearntModels;

  const start = (baseUrl: string, env = {}) => {
    const config = loadConfig({ LITELLM_BASE_URL: baseUrl, ...env });
    upstream = new UpstreamClient(config);
    tokens = new TokenCounter();
    learnt = new LearntModels();
    client = new CompletionClient(upstream, learnt, tokens, config);
  };
  const address = () =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const startWith = async (env: object) => {
    await upstream.onApplicationShutdown();
    start(address(), env);
  };
  /** The schema is sent over Responses. */
  const overResponses = () =>
    startWith({ RELAY_MODEL_PROTOCOLS: 'my-llama:responses' });
  const complete = (more: Partial<CompletionRequest> = {}) =>
    client.complete({
      model: 'my-llama',
      messages: [
        { role: 'system', content: 'You look for gaps.' },
        { role: 'user', content: 'What is missing?' },
      ],
      maxTokens: 500,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      ...more,
    });
  const failure = async (more: Partial<CompletionRequest> = {}) => {
    const error: unknown = await complete(more).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (!(error instanceof UpstreamError))
      throw error ?? new Error('It succeeded.');
    return error;
  };
  /** Plays replies, the last of them to every further request. */
  const play = (...replies: Scripted[]) => {
    script = replies;
  };
  const last = () => requests.at(-1)!;

  beforeAll(async () => {
    server = createServer((request, reply) => {
      void json(request).then((body) => {
        requests.push({ path: request.url!, body: body as Body });
        const next = script.length > 1 ? script.shift()! : script[0];
        if (next.act) return next.act(reply);
        reply.writeHead(next.status ?? 200, {
          'content-type': 'application/json',
          ...next.headers,
        });
        reply.end(JSON.stringify(next.body));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    requests = [];
    start(address());
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await upstream.onApplicationShutdown();
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('sends every call over a connection of its own, as a used one may be closing', async () => {
    play(response('Done.'));
    const opened = jest.fn();
    server.on('connection', opened);
    for (let calls = 1; calls <= 3; calls += 1) {
      await complete();
      expect(opened).toHaveBeenCalledTimes(calls);
    }
    server.off('connection', opened);
  });

  describe('over Responses', () => {
    it('sends one request that is not stored, with the schema and the output limit', async () => {
      await overResponses();
      play(response(ANSWER));
      expect(await complete({ schema })).toEqual({
        text: ANSWER,
        value: GAPS,
        model: 'served',
        finish: 'stop',
        usage: { input_tokens: 40, output_tokens: 7, total_tokens: 47 },
      });
      expect(requests).toEqual([
        {
          path: '/v1/responses',
          body: {
            model: 'my-llama',
            input: [
              {
                type: 'message',
                role: 'system',
                content: 'You look for gaps.',
              },
              {
                type: 'message',
                role: 'user',
                content: 'What is missing?',
              },
            ],
            max_output_tokens: 500,
            store: false,
            text: { format: { type: 'json_schema', ...schema, strict: true } },
          },
        },
      ]);
    });

    it('instructs a reasoning model to reason little', async () => {
      play(response('Done.'));
      await complete({ model: 'gpt-5' });
      expect(last().body.reasoning).toEqual({ effort: 'low' });
    });

    it.each([
      ['max_output_tokens', 'length'],
      ['content_filter', 'filtered'],
      ['something', 'other'],
    ])(
      'reports an answer that is incomplete by %s as %s',
      async (reason, finish) => {
        play(
          response('Half', {
            status: 'incomplete',
            incomplete_details: { reason },
          }),
        );
        expect(await complete()).toMatchObject({ text: 'Half', finish });
      },
    );

    it('reports a refusal of the model as filtered', async () => {
      const content = [{ type: 'refusal', refusal: 'I cannot help.' }];
      play(response('', { output: [{ type: 'message', content }] }));
      expect(await complete()).toMatchObject({
        text: 'I cannot help.',
        finish: 'filtered',
      });
    });

    it('fails with an unknown effect if the response reports a failure', async () => {
      play(
        response('', {
          status: 'failed',
          error: { code: 'server_error', message: 'at 10.0.0.7' },
        }),
      );
      expect(await failure()).toMatchObject({
        code: 'upstream_failed',
        effect: 'unknown',
      });
    });
  });

  describe('over Chat Completions', () => {
    const overCompletions = async () => {
      play(NO_RESPONSES);
      await failure();
      requests = [];
    };
    beforeEach(overCompletions);

    it('sends the schema as response_format and the limit as max_tokens', async () => {
      play(chat(ANSWER));
      expect(await complete({ schema })).toMatchObject({
        value: GAPS,
        model: 'served',
        finish: 'stop',
        usage: { input_tokens: 40, output_tokens: 7, total_tokens: 47 },
      });
      const { messages, ...rest } = last().body;
      expect(messages).toHaveLength(2);
      expect({ ...rest, path: last().path }).toEqual({
        path: '/v1/chat/completions',
        model: 'my-llama',
        max_tokens: 500,
        response_format: {
          type: 'json_schema',
          json_schema: { ...schema, strict: true },
        },
      });
    });

    it.each([
      ['length', 'length'],
      ['content_filter', 'filtered'],
      ['end_turn', 'stop'],
      [null, 'other'],
    ])('reports the finish reason %s as %s', async (finish_reason, finish) => {
      play(chat('Text', { finish_reason }));
      expect(await complete()).toMatchObject({ finish });
    });

    it('takes the other name of the output limit after one is refused', async () => {
      play(
        refusal(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          { param: 'max_tokens', code: 'unsupported_parameter' },
        ),
        chat('Text'),
      );
      expect(await failure()).toBeInstanceOf(RequestFormRefused);
      await complete();
      expect(last().body).toMatchObject({ max_completion_tokens: 500 });
      expect(last().body).not.toHaveProperty('max_tokens');
    });

    it('never goes without an output limit', async () => {
      play(
        refusal('Unknown parameter: max_tokens'),
        refusal('Unknown parameter: max_completion_tokens'),
      );
      expect(await failure()).toBeInstanceOf(RequestFormRefused);
      const second = await failure();
      expect(second).not.toBeInstanceOf(RequestFormRefused);
      await failure();
      for (const { body } of requests)
        expect(
          Object.keys(body).filter((key) => key.startsWith('max_')),
        ).toHaveLength(1);
    });

    it('keeps a limit whose value is refused', async () => {
      play(
        refusal(
          'max_tokens is too large: 500. This model supports at most 100 completion tokens.',
          { param: 'max_tokens' },
        ),
      );
      expect(await failure()).not.toBeInstanceOf(RequestFormRefused);
      await failure();
      expect(last().body.max_tokens).toBe(500);
    });

    it('returns to Responses if the endpoint no longer has Chat Completions', async () => {
      play({ status: 404, body: { detail: 'Not Found' } }, response('Text'));
      expect(await failure()).not.toBeInstanceOf(RequestFormRefused);
      await complete();
      expect(last().path).toBe('/v1/responses');
    });
  });

  describe('a refused form', () => {
    it('may be one of a web page in place of the API', async () => {
      play(
        { status: 404, headers: { 'content-type': 'text/html' }, body: 'x' },
        chat('Text'),
      );
      expect(await failure()).toMatchObject({ code: 'upstream_rejected' });
      expect(await complete()).toMatchObject({ text: 'Text' });
    });

    it('of the protocol proves that nothing began, and the next attempt takes the other one', async () => {
      play(NO_RESPONSES, chat('Text'));
      const error = await failure();
      expect(error).toBeInstanceOf(RequestFormRefused);
      expect(error.effect).toBe('none');
      expect(requests).toHaveLength(1);
      expect(await complete()).toMatchObject({ text: 'Text' });
      expect(requests.map(({ path }) => path)).toEqual([
        '/v1/responses',
        '/v1/chat/completions',
      ]);
    });

    it('is no other form if the model does not exist', async () => {
      play(
        refusal(
          'The model `my-llama` does not exist',
          { code: 'model_not_found' },
          404,
        ),
      );
      const error = await failure();
      expect(error).not.toBeInstanceOf(RequestFormRefused);
      expect(error).toMatchObject({ code: 'model_not_found', effect: 'none' });
      await failure();
      expect(last().path).toBe('/v1/responses');
    });

    it.each([
      [
        'names the parameter',
        refusal("Unsupported parameter: 'text.format'.", {
          param: 'text.format',
        }),
      ],
      [
        'names the feature',
        refusal('Structured outputs are not supported by this model'),
      ],
      [
        'gives no reason',
        { status: 400, body: { error: { message: 'Bad Request' } } },
      ],
      [
        'finds the schema invalid',
        refusal('Invalid schema', { code: 'invalid_json_schema' }),
      ],
    ])(
      'puts the schema into the system message if the refusal %s',
      async (_, refused) => {
        await overResponses();
        play(refused, response(`\`\`\`json\n${ANSWER}\n\`\`\``));
        expect(await failure({ schema })).toBeInstanceOf(RequestFormRefused);
        expect(await complete({ schema })).toMatchObject({ value: GAPS });
        expect(last().body).not.toHaveProperty('text');
        const [{ role, content }, ...others] = last().body.input!;
        expect(role).toBe('system');
        expect(content).toMatch(/^You look for gaps\.\n/);
        expect(content).toContain(
          `\nSchema research_gaps: ${JSON.stringify(schema.schema)}`,
        );
        expect(others).toEqual([
          { type: 'message', role: 'user', content: 'What is missing?' },
        ]);
      },
    );

    it('of a parameter omits it from then on, for this model alone', async () => {
      play(
        refusal("Unknown parameter: 'store'.", { param: 'store' }),
        response('Text'),
      );
      expect(await failure()).toBeInstanceOf(RequestFormRefused);
      await complete();
      expect(last().body).not.toHaveProperty('store');
      await complete({ model: 'another' });
      expect(last().body).toMatchObject({ store: false });
    });

    it('of reasoning omits the instruction to reason little', async () => {
      play(
        refusal(
          "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
          {
            param: 'reasoning.effort',
          },
        ),
        response('Text'),
      );
      await failure({ model: 'gpt-5' });
      await complete({ model: 'gpt-5' });
      expect(last().body).not.toHaveProperty('reasoning');
    });

    it('of system messages puts their text before that of the user', async () => {
      await overResponses();
      play(refusal('System role not supported'), response('Text'));
      expect(await failure({ schema })).toBeInstanceOf(RequestFormRefused);
      await complete({ schema });
      expect(last().body.input).toEqual([
        {
          type: 'message',
          role: 'user',
          content: 'You look for gaps.\n\nWhat is missing?',
        },
      ]);
    });

    it('is not assumed of a prompt that is too long', async () => {
      play(
        refusal("This model's maximum context length is 8192 tokens", {
          code: 'context_length_exceeded',
        }),
      );
      const error = await failure({ schema });
      expect(error).not.toBeInstanceOf(RequestFormRefused);
      expect(error).toMatchObject({
        code: 'context_length_exceeded',
        effect: 'none',
      });
    });
  });

  describe('the protocol of a call with a schema', () => {
    const paths = () => requests.map(({ path }) => path.slice('/v1/'.length));
    const [RESPONSES, COMPLETIONS] = ['responses', 'chat/completions'];

    it.each([
      ['Chat Completions, where servers enforce it', 'my-llama', COMPLETIONS],
      ["Responses for OpenAI's own models", 'gpt-5', RESPONSES],
      ['the configured one', 'my-gpt-4', RESPONSES],
    ])('is %s', async (_, model, path) => {
      await startWith({ RELAY_MODEL_PROTOCOLS: 'my-gpt*:responses' });
      play(path === RESPONSES ? response(ANSWER) : chat(ANSWER));
      expect(await complete({ model, schema })).toMatchObject({ value: GAPS });
      expect(paths()).toEqual([path]);
    });

    it('is the other one once an answer has ignored the schema, with the schema in words, and the log says so once', async () => {
      const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      play(
        chat('The year.'),
        response('A year.'),
        chat('Years.'),
        chat(ANSWER),
      );
      for (let calls = 0; calls < 4; calls += 1) await complete({ schema });
      expect(paths()).toEqual([
        COMPLETIONS,
        RESPONSES,
        COMPLETIONS,
        COMPLETIONS,
      ]);
      expect(JSON.stringify(requests[0].body)).not.toContain('Schema research');
      for (const { body } of requests.slice(1))
        expect(JSON.stringify(body)).toContain('Schema research_gaps:');
      expect(warn.mock.calls).toEqual([
        ['my-llama ignores JSON Schemas over Chat Completions'],
        ['my-llama ignores JSON Schemas over Responses'],
      ]);
    });

    it('is ignored also by an answer with a field of another type', async () => {
      jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      play(
        chat('{"sufficient": "no", "missing": "the year"}'),
        response(ANSWER),
      );
      await complete({ schema });
      expect(await complete({ schema })).toMatchObject({ value: GAPS });
      expect(paths()).toEqual([COMPLETIONS, RESPONSES]);
    });

    it('is Responses where there are no Chat Completions, and neither where there is none', async () => {
      play(NO_RESPONSES, response(ANSWER), response(ANSWER), NO_RESPONSES);
      expect(await failure({ schema })).toBeInstanceOf(RequestFormRefused);
      await complete({ schema });
      await complete({ schema });
      expect(await failure({ schema })).not.toBeInstanceOf(RequestFormRefused);
      expect(paths()).toEqual([COMPLETIONS, RESPONSES, RESPONSES, RESPONSES]);
    });
  });

  it('learns the context of a model from the refusal of a prompt that is too long', async () => {
    const error = { type: 'exceed_context_size_error', n_ctx: 4096 };
    play({ status: 400, body: { error } });
    expect(await failure()).toMatchObject({
      code: 'context_length_exceeded',
      message: expect.stringContaining('4096 tokens'),
    });
    expect(learntContext(learnt, 'my-llama')).toBe(4_096);
  });

  it('fails where the endpoint silently read only a part of the prompt, and learns its context', async () => {
    const content = 'The tower was built in 1889. '.repeat(1_000);
    const usage = { input_tokens: 4_096, output_tokens: 7 };
    play(response('Text', { usage }), response('Text'));
    expect(
      await failure({ messages: [{ role: 'user', content }] }),
    ).toMatchObject({ code: 'context_length_exceeded', effect: 'unknown' });
    expect(learntContext(learnt, 'my-llama')).toBe(4_096);
    expect(tokens.factorsOf('my-llama')).toEqual({ cjk: 2, other: 1.3 });
    expect(await complete()).toMatchObject({ text: 'Text' });
  });

  describe('the bounds of a schema', () => {
    const bounded = {
      name: 'research_gaps',
      schema: {
        ...schema.schema,
        properties: {
          sufficient: { type: 'boolean' },
          missing: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 300 },
            maxItems: 12,
          },
        },
      },
    };
    const sent = () =>
      (last().body.response_format as { json_schema: object }).json_schema;
    it('are sent, and an answer beyond them has not ignored the schema', async () => {
      const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      const long = { ...GAPS, missing: ['x'.repeat(400)] };
      play(chat(JSON.stringify(long)));
      await complete({ schema: bounded });
      expect(sent()).toMatchObject(bounded);
      expect(warn).not.toHaveBeenCalled();
    });

    it.each<[string, Scripted, object]>([
      [
        'names one of texts',
        refusal(
          "Invalid schema for response_format 'x': In context=('items',), 'maxLength' is not permitted.",
          { param: 'response_format', code: 'invalid_json_schema' },
        ),
        { type: 'array', items: { type: 'string' }, maxItems: 12 },
      ],
      [
        'names one of lists',
        refusal("'maxItems' is not supported"),
        {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 300 },
        },
      ],
      [
        'finds no grammar for the schema',
        refusal('failed to parse grammar'),
        { type: 'array', items: { type: 'string' } },
      ],
      [
        'gives no reason',
        { status: 400, body: { error: { message: 'Bad Request' } } },
        { type: 'array', items: { type: 'string' } },
      ],
    ])(
      'are left out from then on if the refusal %s',
      async (_, refused, list) => {
        play(refused, chat(ANSWER));
        expect(await failure({ schema: bounded })).toBeInstanceOf(
          RequestFormRefused,
        );
        for (let calls = 0; calls < 2; calls += 1) {
          await complete({ schema: bounded });
          expect(JSON.stringify(sent())).toBe(
            JSON.stringify({
              ...bounded,
              schema: {
                ...bounded.schema,
                properties: { ...bounded.schema.properties, missing: list },
              },
              strict: true,
            }),
          );
        }
      },
    );

    it('are no reason to keep a schema that is refused without them', async () => {
      const refused = refusal('Invalid schema', {
        code: 'invalid_json_schema',
      });
      play(refused, refused, chat(ANSWER));
      await failure({ schema: bounded });
      await failure({ schema: bounded });
      expect(await complete({ schema: bounded })).toMatchObject({
        value: GAPS,
      });
      expect(last().body).not.toHaveProperty('response_format');
    });
  });

  it('describes the schema in words as well once a gateway has ignored it', async () => {
    await overResponses();
    play(response('The year is missing.'), response(ANSWER));
    const first = await complete({ schema });
    expect(first).toMatchObject({ text: 'The year is missing.' });
    expect(first).not.toHaveProperty('value');
    expect(await complete({ schema })).toMatchObject({ value: GAPS });
    expect(last().body).toHaveProperty('text.format.name', 'research_gaps');
    expect(last().body.input![0].content).toContain('Schema research_gaps:');
  });

  it('puts the schema of a model without native schemas into the system message at once', async () => {
    await upstream.onApplicationShutdown();
    start(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      RELAY_MODEL_PROFILES: 'my-llama:research',
    });
    play(response(ANSWER));
    expect(await complete({ schema })).toMatchObject({ value: GAPS });
    expect(last().body).not.toHaveProperty('text');
  });

  it('makes exactly one request, whatever fails', async () => {
    for (const reply of [
      { status: 500, body: {} },
      { status: 429, body: {} },
      refusal("Unknown parameter: 'store'."),
      NO_RESPONSES,
    ]) {
      requests = [];
      play(reply);
      await failure();
      expect(requests).toHaveLength(1);
    }
  });

  it('reports how long a rate limit lasts, and that nothing began', async () => {
    play({ status: 429, headers: { 'retry-after': '7' }, body: {} });
    expect(await failure()).toMatchObject({
      code: 'upstream_rate_limited',
      effect: 'none',
      fault: { retryAfterMs: 7_000 },
    });
  });

  it.each([500, 502, 504])('does not know what a %i began', async (status) => {
    play({ status, body: { error: { message: 'failed at 10.0.0.7' } } });
    const error = await failure();
    expect(error.effect).toBe('unknown');
    expect(error.message).not.toContain('10.0.0.7');
  });

  it.each<[string, (reply: ServerResponse) => void]>([
    ['before the reply', (reply) => reply.destroy()],
    [
      'within the reply',
      (reply) => {
        reply.writeHead(200, { 'content-type': 'application/json' });
        reply.write('{"choices":[', () => reply.destroy());
      },
    ],
  ])('does not know what began if the connection breaks %s', async (_, act) => {
    play({ act });
    expect((await failure()).effect).toBe('unknown');
  });

  it('ends a call at its own time limit, with an unknown effect', async () => {
    play({ act: () => undefined });
    expect(await failure({ timeoutMs: 50 })).toMatchObject({
      code: 'upstream_timeout',
      effect: 'unknown',
    });
  });

  it('ends a reply that stops in its middle at the time limit', async () => {
    play({
      act: (reply) => {
        reply.writeHead(200, { 'content-type': 'application/json' });
        reply.write('{"choices":[');
      },
    });
    expect(await failure({ timeoutMs: 200 })).toMatchObject({
      code: 'upstream_timeout',
      effect: 'unknown',
    });
  });

  it('throws the reason of the signal, and closes the connection', async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      play({
        act: (reply) => {
          reply.once('close', () => resolve());
          controller.abort(new AppError('cancelled'));
        },
      });
    });
    await expect(complete({ signal: controller.signal })).rejects.toMatchObject(
      {
        code: 'cancelled',
      },
    );
    await closed;
  });

  it('refuses a reply of many megabytes', async () => {
    play(response('x'.repeat(5 * 1024 * 1024)));
    expect(await failure()).toMatchObject({
      code: 'upstream_error',
      effect: 'unknown',
    });
  });

  it.each([
    ['a list', []],
    ['nothing of an answer', {}],
    [
      'an error in a successful reply',
      { error: { message: 'No provider', code: 502 } },
    ],
  ])('fails with an unknown effect if the reply is %s', async (_, body) => {
    play({ body });
    expect((await failure()).effect).toBe('unknown');
  });

  it.each([
    ['0.00042', 0.00042],
    ['0.0', 0],
    ['1e-05', 0.00001],
    ['None', undefined],
    ['-1', undefined],
    ['', undefined],
  ])('reads the cost header %j as %p', async (header, cost) => {
    play({
      ...response('Text'),
      headers: { 'x-litellm-response-cost': header },
    });
    expect((await complete()).costUsd).toBe(cost);
  });

  it.each([
    ['a number', 0.5],
    ['a sum', { total_cost: 0.5 }],
  ])('reads a cost beside the tokens that is %s', async (_, cost) => {
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, cost };
    play(response('Text', { usage }));
    expect((await complete()).costUsd).toBe(0.5);
  });

  it('returns an empty answer with its usage, because it was paid', async () => {
    await overResponses();
    play(response(''));
    expect(await complete({ schema })).toEqual({
      text: '',
      model: 'served',
      finish: 'stop',
      usage: { input_tokens: 40, output_tokens: 7, total_tokens: 47 },
    });
  });

  it('has no usage where the gateway sends none', async () => {
    play(response('Text', { usage: null }));
    expect((await complete()).usage).toBeNull();
  });

  it.each([
    [`<think>Maybe {"sufficient": true, "missing": []}?</think>\n${ANSWER}`],
    [`Maybe {"sufficient": true, "missing": []}?\n</think>\n${ANSWER}`],
  ])('removes the reasoning from the text: %j', async (text) => {
    await overResponses();
    play(response(text));
    expect(await complete({ schema })).toMatchObject({
      text: ANSWER,
      value: GAPS,
    });
  });

  describe('an answer that was cut off', () => {
    const cut = (message: object, usage?: object): Scripted => ({
      body: {
        choices: [{ message, finish_reason: 'length' }],
        ...(usage && { usage }),
      },
    });
    beforeEach(async () => {
      play(NO_RESPONSES);
      await failure();
    });

    it.each<[string, Scripted]>([
      ['is empty', cut({ content: null })],
      [
        'has its reasoning beside it',
        cut({ content: '{"a', reasoning_content: 'Hm. '.repeat(9) }),
      ],
      ['has its reasoning in it', cut({ content: '<think>Hm, the user' })],
      [
        'is mostly reasoning by the count of the endpoint',
        cut(
          { content: '{"a": "b' },
          {
            prompt_tokens: 9,
            completion_tokens: 500,
            completion_tokens_details: { reasoning_tokens: 490 },
          },
        ),
      ],
    ])('needs more room if it %s', async (_, reply) => {
      play(reply);
      expect(await complete()).toMatchObject({ reasoningCut: true });
      expect(client.outputTokens('my-llama')).toBe(1_000);
      await complete({ maxTokens: 100 });
      expect(client.outputTokens('my-llama')).toBe(1_000);
      expect(client.outputTokens('another')).toBe(0);
    });

    it('needs no room for reasoning if it has a text', async () => {
      play(cut({ content: 'Half of an' }));
      expect(await complete()).not.toHaveProperty('reasoningCut');
      expect(client.outputTokens('my-llama')).toBe(0);
    });
  });

  it('takes an answer that stands in the place of the reasoning', async () => {
    play(NO_RESPONSES, {
      body: {
        choices: [
          {
            message: { content: null, reasoning_content: ANSWER },
            finish_reason: 'stop',
          },
        ],
      },
    });
    await failure();
    expect(await complete({ schema })).toMatchObject({ value: GAPS });
  });

  it('learns how many tokens the prompts of a model have', async () => {
    const content = 'Jajangmyeon came to Incheon in 1883. '.repeat(50);
    const usage = { input_tokens: 2_000, output_tokens: 7 };
    play(response('Text', { usage }));
    const { other } = tokens.factorsOf('my-llama');
    await complete({ messages: [{ role: 'user', content }] });
    expect(tokens.factorsOf('my-llama').other).toBeGreaterThan(other);
  });

  describe('with the sandbox', () => {
    let sandbox: SandboxUnderTest;
    beforeAll(async () => {
      sandbox = await sandboxUnderTest();
    });
    beforeEach(async () => {
      await upstream.onApplicationShutdown();
      await sandbox.reset();
      start(sandbox.url);
    });
    afterAll(() => sandbox.close());

    it('is accepted over both protocols, with a schema', async () => {
      const model = 'gpt-4o';
      const first = await complete({ model, schema });
      expect(first.usage?.output_tokens).toBeGreaterThan(0);
      await sandbox.fault({
        kind: 'status',
        status: 404,
        body: 'detail',
        match: { path: '/chat/completions' },
        count: 1,
      });
      expect(await failure({ model, schema })).toBeInstanceOf(
        RequestFormRefused,
      );
      const second = await complete({ model, schema });
      expect(second.finish).toBe('stop');
      expect(second.text).not.toBe('');
    });
  });
});
