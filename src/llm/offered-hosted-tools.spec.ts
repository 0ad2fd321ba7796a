import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { LearntModels } from './models/learnt-models';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import {
  researchTool,
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../sandbox/testing/sandbox-under-test';
import { callToolsInParallel } from '../../test/support/chat/parallel-tool-calls';
import { closingFrontOf } from '../../test/support/upstream/front';
import { ScriptedUpstream } from '../../test/support/upstream/scripted-upstream';
import { loadConfig } from '../config/load-config';
import { AppError } from '../platform/errors';
import {
  accumulate,
  EMPTY_DELTA,
  type MessageDelta,
} from '../platform/message/delta';
import { finish } from '../platform/message/delta-finish';
import { CompletionsEngine } from './completions/completions-engine';
import type { ModelRequest } from './turns/model.types';
import { ModelClient } from './model.client';
import { ResponsesEngine } from './responses/responses-engine';
import { UpstreamClient } from './upstream/upstream.client';

const KIMCHI = 'What is kimchi?';

describe.each(['agents', 'responses'])('hosted tools with %s', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'hosted-'));
  const path = join(folder, 'hosted.json');
  let sandbox: SandboxUnderTest;
  let scripted: ScriptedUpstream;
  let upstream: UpstreamClient;
  let port: ModelClient;
  let warnings: jest.SpyInstance;

  const start = (url: string, env = {}) => {
    const config = loadConfig({
      LITELLM_BASE_URL: url,
      RELAY_HOSTED_TOOLS_CONFIG: path,
      RELAY_CHAT_ENGINES: `${engine},prompt`,
      RELAY_MODEL_PROFILES: 'llama-3:reasoning',
      ...env,
    });
    upstream = new UpstreamClient(config);
    port = new ModelClient(
      new ResponsesEngine(upstream, config, new LearntModels()),
      new CompletionsEngine(upstream, config, new LearntModels()),
      new LearntModels(),
      config,
    );
  };
  const ask = (
    text: string,
    hosted: readonly string[],
    more: Partial<ModelRequest> = {},
  ) =>
    port.run({
      model: 'gpt-5.5',
      input: [{ role: 'user', contents: [{ type: 'text', text }] }],
      tools: [researchTool],
      hosted,
      callTools: callToolsInParallel(async () => 'It came to Incheon in 1883.'),
      signal: new AbortController().signal,
      ...more,
    });
  /** The streamed answer, and the message that its deltas add up to. */
  const stream = async (...[text, hosted, more]: Parameters<typeof ask>) => {
    const received: MessageDelta[] = [];
    const onDelta = (delta: MessageDelta) => received.push(delta);
    const answer = await ask(text, hosted, { ...more, onDelta });
    return {
      answer,
      received,
      message: finish(received.reduce(accumulate, EMPTY_DELTA)),
    };
  };
  const bodies = async () => {
    const { data } = await sandbox.get<{
      data: { path: string; body: Record<string, unknown> }[];
    }>('/sandbox/requests?last=50');
    return data.map(({ body }) => body);
  };
  const typesIn = ({ tools }: Record<string, unknown>) =>
    (tools as { type: string }[] | undefined)?.map(({ type }) => type);

  beforeAll(async () => {
    sandbox = await sandboxUnderTest();
    scripted = await ScriptedUpstream.start();
    writeFileSync(
      path,
      JSON.stringify({
        web_search: { contextSize: 'low' },
        file_search: { vectorStoreIds: ['vs_1'] },
        code_interpreter: {},
        image_generation: {},
        mcp: {
          wiki: {
            url: 'https://wiki.example.com/mcp',
            trusted: true,
            authorization: 'secret',
          },
        },
      }),
    );
  });
  beforeEach(async () => {
    await sandbox.reset();
    jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    warnings = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    start(sandbox.url);
  });
  afterEach(async () => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    await upstream.onApplicationShutdown();
  });
  afterAll(async () => {
    await Promise.all([sandbox.close(), scripted.close()]);
    rmSync(folder, { recursive: true });
  });

  it('are omitted first when the request is refused without a reason', async () => {
    await sandbox.fault({
      kind: 'status',
      status: 400,
      message: 'Bad Request',
      match: { body: '"web_search"' },
      count: 0,
    });
    const { failure } = await ask('Hello!', ['web_search']);
    expect(failure).toBeNull();
    expect((await bodies()).map(typesIn)).toEqual([
      ['function', 'web_search'],
      ['function'],
    ]);
  });

  it('are sent once when all tools are refused without a reason', async () => {
    await sandbox.fault({
      kind: 'status',
      status: 422,
      message: 'Unprocessable Entity',
      match: { body: '"tools":[' },
      count: 0,
    });
    const { failure } = await ask('Hello!', ['web_search']);
    expect(failure).toBeNull();
    expect((await bodies()).map(typesIn)).toEqual([
      ['function', 'web_search'],
      ['function'],
      undefined,
    ]);
  });

  it('are sent beside the functions, and return citations and sources', async () => {
    const { answer, message } = await stream(KIMCHI, ['web_search']);
    const whole = await ask(KIMCHI, ['web_search']);
    const [body] = await bodies();
    expect(body.tools).toEqual([
      expect.objectContaining({ type: 'function', name: 'deep_research' }),
      { type: 'web_search', search_context_size: 'low' },
    ]);
    expect(body.include).toEqual(['web_search_call.action.sources']);
    expect(answer.failure).toBeNull();
    expect(message.contents).toEqual([{ type: 'text', text: answer.text }]);
    const { citations = [], sources = [] } = answer;
    expect(citations.length).toBeGreaterThan(0);
    for (const { url, title, start_index, end_index } of citations)
      expect(
        Array.from(answer.text!).slice(start_index, end_index).join(''),
      ).toBe(`([${title}](${url}))`);
    expect(sources.map(({ url }) => url)).toEqual(
      expect.arrayContaining(citations.map(({ url }) => url)),
    );
    expect({ ...whole, responseId: null }).toEqual({
      ...answer,
      responseId: null,
    });
  });

  it('are not sent unless the request names them', async () => {
    await ask(KIMCHI, []);
    const [body] = await bodies();
    expect(typesIn(body)).toEqual(['function']);
    expect(body).not.toHaveProperty('include');
  });

  it.each([
    ['a connection that breaks', { kind: 'reset' }],
    ['a 500', { kind: 'status', status: 500 }],
    ['a 502 of a proxy', { kind: 'status', status: 502, body: 'html' }],
  ])(
    'may have run before %s, so the turn is not repeated',
    async (_, fault) => {
      const match = { method: 'POST' };
      await sandbox.post('/sandbox/faults', { ...fault, match });
      const { failure } = await ask(KIMCHI, ['web_search']);
      expect(failure).toBeInstanceOf(AppError);
      expect(await bodies()).toHaveLength(1);
      await sandbox.reset();
      await sandbox.post('/sandbox/faults', { ...fault, match });
      expect((await ask(KIMCHI, [])).failure).toBeNull();
      expect(await bodies()).toHaveLength(2);
    },
  );

  it('go over no used connection, which its server may be closing', async () => {
    const front = await closingFrontOf(sandbox.url);
    await upstream.onApplicationShutdown();
    start(front.url);
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await ask(KIMCHI, ['web_search'])).failure).toBeNull();
      const { answer } = await stream(KIMCHI, ['web_search']);
      expect(answer.failure).toBeNull();
    }
    expect(front.reset).toBe(0);
    await front.close();
  });

  it('return their images as parts, sent once at their position', async () => {
    const drawing = 'Draw a picture of a cat';
    const { answer, received, message } = await stream(drawing, [
      'image_generation',
    ]);
    const image = {
      type: 'image',
      image: {
        data: expect.stringMatching(/^iVBOR/),
        mime_type: 'image/png',
      },
    };
    expect(answer.contents).toEqual([image]);
    expect(message.contents).toEqual([
      image,
      { type: 'text', text: answer.text },
    ]);
    const shown = received.filter(({ contents }) => contents?.[0].image);
    expect(shown).toHaveLength(1);
    const whole = await ask(drawing, ['image_generation']);
    expect(whole.contents).toEqual(answer.contents);
  });

  it('run code, and search files', async () => {
    const computed = await ask('What is 19 + 23?', ['code_interpreter']);
    expect(computed.text).toContain('19 + 23 = 42');
    const found = await ask('How many days of leave?', ['file_search']);
    expect(found.text).toMatch(/25 days .*\(leave-policy\.md\)/);
    expect((await bodies()).map(typesIn)).toEqual([
      ['function', 'code_interpreter'],
      ['function', 'file_search'],
    ]);
  });

  it('send the secrets of an MCP server with every turn', async () => {
    const answer = await ask(
      '[sandbox: call deep_research {"research_question":"kimchi"}]',
      ['mcp:wiki'],
    );
    expect(answer.text).toContain('1883');
    const sent = await bodies();
    expect(sent).toHaveLength(2);
    for (const { tools } of sent)
      expect(tools).toContainEqual({
        type: 'mcp',
        server_label: 'wiki',
        server_url: 'https://wiki.example.com/mcp',
        require_approval: 'never',
        authorization: 'secret',
      });
    const found = await ask('How many days of leave?', ['mcp:wiki']);
    expect(found.sources).toEqual([
      {
        url: 'https://sandbox.example/private/leave-policy',
        title: 'Leave policy',
      },
    ]);
  });

  it('are omitted for ten minutes after a refusal, functions are not', async () => {
    jest.useFakeTimers({
      doNotFake: [
        'setTimeout',
        'setImmediate',
        'nextTick',
        'queueMicrotask',
        'performance',
      ],
    });
    const model = 'llama-3';
    const { answer } = await stream(KIMCHI, ['web_search'], { model });
    expect(answer.failure).toBeNull();
    await ask(KIMCHI, ['web_search'], { model });
    jest.setSystemTime(Date.now() + 10 * 60 * 1000 + 1);
    await ask(KIMCHI, ['web_search'], { model });
    const sent = await bodies();
    expect(sent.map(typesIn)).toEqual([
      ['function', 'web_search'],
      ['function'],
      ['function'],
      ['function', 'web_search'],
      ['function'],
    ]);
    expect(sent[1]).not.toHaveProperty('include');
    expect(warnings.mock.calls).toEqual([
      ['llama-3 is called without hosted tools: the endpoint refused them'],
    ]);
  });

  it('are omitted for a model that does not support them, which is logged once', async () => {
    const model = 'gpt-4o';
    await ask(KIMCHI, ['web_search'], { model });
    await ask(KIMCHI, ['web_search'], { model });
    expect((await bodies()).map(typesIn)).toEqual([['function'], ['function']]);
    expect(warnings.mock.calls).toEqual([
      ['gpt-4o does not support web_search'],
    ]);
  });

  it('are not sent over Chat Completions, nor where tools are described in the prompt', async () => {
    await sandbox.fault({
      kind: 'status',
      status: 404,
      body: 'detail',
      match: { path: '/responses' },
    });
    expect((await ask(KIMCHI, ['web_search'])).failure).toBeNull();
    start(sandbox.url, { DISABLE_NATIVE_TOOLS_FOR_MODELS: 'gpt-5.5' });
    expect((await ask(KIMCHI, ['web_search'])).failure).toBeNull();
    expect((await bodies()).slice(1).map(typesIn)).toEqual([
      ['function'],
      undefined,
    ]);
  });

  const call = (call_id: string) => ({
    type: 'function_call',
    id: 'fc_1',
    call_id,
    name: 'deep_research',
    arguments: '{}',
  });
  const textItem = (text: string, more: object = {}) => ({
    type: 'message',
    content: [{ type: 'output_text', text, ...more }],
  });
  const reply = (...output: object[]) => ({
    id: 'resp_1',
    status: 'completed',
    store: false,
    output,
  });
  const search = {
    type: 'web_search_call',
    id: 'ws_1',
    status: 'completed',
    action: {
      type: 'search',
      queries: ['q'],
      sources: [
        { type: 'url', url: 'https://a.example/?utm_source=openai' },
        { type: 'oai-weather' },
      ],
    },
  };
  const drawn = (result: string) => ({
    type: 'image_generation_call',
    id: `ig_${result}`,
    status: 'completed',
    result,
    output_format: 'webp',
  });
  const opened = {
    type: 'web_search_call',
    id: 'ws_2',
    status: 'completed',
    action: { type: 'open_page', url: 'https://b.example' },
  };
  const shown = (data: string) => ({
    type: 'image',
    image: { data, mime_type: 'image/webp' },
  });

  it('are counted over all turns, and reach the next turn unchanged', async () => {
    start(scripted.url);
    const annotations = [
      {
        type: 'url_citation',
        url: 'https://c.example',
        title: 'C',
        start_index: 1,
        end_index: 3,
      },
      {
        type: 'url_citation',
        url: 'https://d.example',
        start_index: 2,
        end_index: 90,
      },
      { type: 'file_citation', file_id: 'f', filename: 'f.md', index: 1 },
    ];
    scripted.play(
      reply(search, drawn('Zmlyc3Q='), call('a')),
      reply(opened, drawn('c2Vjb25k'), textItem('🍜 so.', { annotations })),
    );
    const answer = await ask(KIMCHI, ['web_search', 'image_generation']);
    expect(answer).toMatchObject({
      text: '🍜 so.',
      failure: null,
      contents: [shown('Zmlyc3Q='), shown('c2Vjb25k')],
      citations: [
        { url: 'https://c.example', title: 'C', start_index: 1, end_index: 3 },
      ],
      sources: [
        { url: 'https://c.example', title: 'C' },
        { url: 'https://b.example', title: '' },
        { url: 'https://a.example/', title: '' },
      ],
    });
    const { input } = scripted.bodies[1] as { input: object[] };
    expect(input).toEqual(
      expect.arrayContaining([
        search,
        drawn('Zmlyc3Q='),
        expect.objectContaining({ call_id: 'a', type: 'function_call' }),
      ]),
    );
  });

  it('may return an image without text', async () => {
    start(scripted.url);
    const whole = reply(drawn('b25seQ=='));
    scripted.play(whole, [
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: drawn('b25seQ=='),
      },
      { type: 'response.completed', response: whole },
    ]);
    const names = ['image_generation'];
    expect(await ask(KIMCHI, names)).toMatchObject({
      text: '',
      failure: null,
      contents: [shown('b25seQ==')],
    });
    const { answer, message } = await stream(KIMCHI, names);
    expect(answer.failure).toBeNull();
    expect(message.contents).toEqual([shown('b25seQ==')]);
  });

  it('send an image that the stream omitted', async () => {
    start(scripted.url);
    const images = [drawn('b25l'), drawn('dHdv')];
    scripted.play([
      { type: 'response.output_item.done', output_index: 0, item: images[0] },
      { type: 'response.output_text.delta', output_index: 2, delta: 'Two.' },
      {
        type: 'response.completed',
        response: reply(...images, textItem('Two.')),
      },
    ]);
    const { message } = await stream(KIMCHI, ['image_generation']);
    expect(message.contents).toEqual([
      shown('b25l'),
      { type: 'text', text: 'Two.' },
      shown('dHdv'),
    ]);
  });

  it('are not omitted after a delta was sent', async () => {
    start(scripted.url);
    const item = drawn('b25l');
    scripted.play([
      { type: 'response.output_item.done', output_index: 0, item },
      {
        type: 'error',
        error: { code: '400', message: "Invalid value: 'web_search'." },
      },
    ]);
    const { answer } = await stream(KIMCHI, ['web_search', 'image_generation']);
    expect(answer.failure).toMatchObject({ code: 'upstream_rejected' });
    expect(scripted.bodies).toHaveLength(1);
  });
});
