import {
  researchTool,
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../sandbox/testing/sandbox-under-test';
import { LearntModels } from '../models/learnt-models';
import { callToolsInParallel } from '../../../test/support/chat/parallel-tool-calls';
import { loadConfig } from '../../config/load-config';
import type { ToolDescription } from '../../platform/message/tool-description';
import { CompletionsEngine } from './completions-engine';
import type { ModelRequest } from '../turns/model.types';
import { type UpstreamCall, UpstreamClient } from '../upstream/upstream.client';

const { name, description, parameters } = researchTool;
const tool: ToolDescription = { name, description, parameters };

const asks = (
  text: string,
  more: Partial<ModelRequest> = {},
): ModelRequest => ({
  model: 'gpt-4o',
  input: [{ role: 'user', contents: [{ type: 'text', text }] }],
  tools: [tool],
  callTools: callToolsInParallel(
    async () => 'Jajangmyeon came to Incheon with Shandong cooks.',
  ),
  signal: new AbortController().signal,
  ...more,
});

describe(CompletionsEngine.name, () => {
  let sandbox: SandboxUnderTest;
  let upstream: UpstreamClient;
  let engine: CompletionsEngine;

  const start = (env: Record<string, string> = {}) => {
    const config = loadConfig({
      LITELLM_BASE_URL: sandbox.url,
      RELAY_MAX_TURNS: '3',
      ...env,
    });
    upstream = new UpstreamClient(config);
    engine = new CompletionsEngine(upstream, config, new LearntModels());
  };
  const bodies = async () => {
    const { data } = await sandbox.get<{
      data: { body: Record<string, unknown> & { messages: object[] } }[];
    }>('/sandbox/requests?last=50');
    return data.map(({ body }) => body);
  };

  beforeAll(async () => {
    sandbox = await sandboxUnderTest();
  });
  beforeEach(async () => {
    await sandbox.reset();
    start();
  });
  afterEach(() => upstream.onApplicationShutdown());
  afterAll(() => sandbox.close());

  it('answers in one turn when no tool is called', async () => {
    const callTool = jest.fn();
    const answer = await engine.run(
      asks('Hello!', { callTools: callToolsInParallel(callTool) }),
    );
    expect(answer).toEqual({
      text: expect.stringContaining('Hello'),
      failure: null,
      responseId: expect.stringMatching(/^chatcmpl/),
      usage: {
        input_tokens: expect.any(Number),
        output_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
      },
    });
    expect(callTool).not.toHaveBeenCalled();
    expect(await bodies()).toEqual([
      {
        model: 'gpt-4o',
        max_tokens: 16_384,
        messages: [{ role: 'user', content: 'Hello!' }],
        tools: [{ type: 'function', function: { ...tool, strict: true } }],
      },
    ]);
  });

  it('requests one call in a turn only of a model that has tools', async () => {
    await engine.run(asks('Hello!', { parallelCalls: false }));
    await engine.run(asks('Hello!', { parallelCalls: false, tools: [] }));
    const [one, none] = await bodies();
    expect(one).toMatchObject({ parallel_tool_calls: false });
    expect(none).not.toHaveProperty('parallel_tool_calls');
  });

  it('sends the results of tools in the order of their calls', async () => {
    const callTool = jest.fn(
      async ({ arguments: args }: { arguments: string }) =>
        args.includes('kimchi') ? 'On kimchi.' : 'On sourdough.',
    );
    const answer = await engine.run(
      asks('Research in detail:\n- kimchi\n- sourdough', {
        callTools: callToolsInParallel(callTool),
      }),
    );
    expect(answer.text).toMatch(/On kimchi\.[^]*On sourdough\./);
    const [first, second] = await bodies();
    const ids = callTool.mock.calls.map(
      ([call]) => (call as { callId?: string }).callId,
    );
    expect(second.messages).toEqual([
      ...first.messages,
      {
        role: 'assistant',
        content: null,
        tool_calls: ids.map((id) =>
          expect.objectContaining({ id, type: 'function' }),
        ),
      },
      { role: 'tool', tool_call_id: ids[0], content: 'On kimchi.' },
      { role: 'tool', tool_call_id: ids[1], content: 'On sourdough.' },
    ]);
  });

  it('adds up the usage of all turns', async () => {
    const request = asks('Research the history of jajangmyeon');
    const { usage } = await engine.run(request);
    const single = await engine.run({ ...request, tools: [] });
    expect(usage!.input_tokens).toBeGreaterThan(single.usage!.input_tokens);
    expect(usage!.total_tokens).toBe(
      usage!.input_tokens + usage!.output_tokens,
    );
  });

  it('instructs the model to answer without tools in its last turn', async () => {
    const callTool = jest.fn(async () => 'more');
    const answer = await engine.run(
      asks('[sandbox: loop]', { callTools: callToolsInParallel(callTool) }),
    );
    expect(answer.text).not.toBeNull();
    expect(callTool).toHaveBeenCalledTimes(2);
    const turns = await bodies();
    expect(turns).toHaveLength(3);
    expect(turns.map((turn) => turn.tool_choice)).toEqual([
      ...Array<undefined>(2).fill(undefined),
      'none',
    ]);
  });

  it('takes no further turn after `done`', async () => {
    const answer = await engine.run(
      asks('Research kimchi', {
        callTools: async () => ({ outputs: [[]], done: true }),
      }),
    );
    expect(answer).toMatchObject({ text: null, failure: null });
    expect(await bodies()).toHaveLength(1);
  });

  it('accepts a truncated answer', async () => {
    await sandbox.fault({ kind: 'incomplete', reason: 'content_filter' });
    const answer = await engine.run(asks('Hello!'));
    expect(answer.failure).toBeNull();
    expect(answer.text).toMatch(/\S/);
  });

  it('treats an answer without text as a failure', async () => {
    await sandbox.fault({ kind: 'empty' });
    const answer = await engine.run(asks('Hello!'));
    expect(answer.failure).toMatchObject({ code: 'empty_output' });
  });

  it('repeats a turn after a temporary failure', async () => {
    const fault = { kind: 'status', status: 503, retry_after_ms: 1, count: 2 };
    await sandbox.fault(fault);
    const answer = await engine.run(asks('Hello!'));
    expect(answer.text).toContain('Hello');
  });

  it('names the context of a model in the failure of a conversation that is too long for it', async () => {
    const message =
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.";
    await sandbox.fault({ kind: 'status', status: 400, message, count: 2 });
    const { failure } = await engine.run(asks('Hello!'));
    expect(failure).toMatchObject({
      code: 'context_length_exceeded',
      message: expect.stringContaining('8192 tokens'),
    });
  });

  it('leaves its own limit of the output out where the context is too small for both, and halves it from then on', async () => {
    const message =
      "This model's maximum context length is 8192 tokens. However, you requested 16500 tokens.";
    await sandbox.fault({ kind: 'status', status: 400, message });
    const answer = await engine.run(asks('Hello!'));
    expect(answer.failure).toBeNull();
    await engine.run(asks('Hello!'));
    const limits = (await bodies()).map(({ max_tokens }) => max_tokens);
    expect(limits).toEqual([16_384, undefined, 4_096]);
  });

  it('fills the context to its end: of what the tools and the messages leave, no token is kept for its own limit', async () => {
    start({ RELAY_MAX_OUTPUT_TOKENS: '100' });
    const asked = asks('Hello! '.repeat(500));
    const { usage } = await engine.run(asked);
    const context = { tokens: usage!.input_tokens + 40, server: 'vllm' };
    await sandbox.config({ context });
    expect(await engine.run(asked)).toMatchObject({ failure: null });
    const longer = { ...asked, tools: [tool, { ...tool, name: 'another' }] };
    const { failure } = await engine.run(longer);
    expect(failure).toMatchObject({
      code: 'context_length_exceeded',
      message: expect.stringContaining(`${context.tokens} tokens`),
    });
  });

  it('leaves the limit of a caller as it is', async () => {
    const message = "This model's maximum context length is 8192 tokens.";
    await sandbox.fault({ kind: 'status', status: 400, message });
    const sampling = { maxTokens: 9_000 };
    const { failure } = await engine.run({ ...asks('Hello!'), sampling });
    expect(failure).toMatchObject({ code: 'context_length_exceeded' });
    expect(await bodies()).toHaveLength(1);
  });

  it('does not repeat a 501', async () => {
    await sandbox.fault({ kind: 'status', status: 501 });
    const answer = await engine.run(asks('Hello!'));
    expect(answer.failure).toMatchObject({ fault: { status: 501 } });
  });

  it('fails a turn that exceeds its time limit', async () => {
    start({ RELAY_TIMEOUT_SECONDS: '1' });
    await sandbox.fault({ kind: 'hang' });
    const answer = await engine.run(asks('Hello!'));
    expect(answer.failure).toMatchObject({ code: 'upstream_timeout' });
  });

  it('rejects with the reason of the signal of the caller', async () => {
    const caller = new AbortController();
    const reason = new Error('gone');
    await sandbox.fault({ kind: 'hang' });
    const running = engine.run(asks('Hello!', { signal: caller.signal }));
    while ((await bodies()).length === 0);
    caller.abort(reason);
    await expect(running).rejects.toBe(reason);
  });
});

/** Replies as gateways send them, which the types do not allow. */
describe('replies that violate the specification', () => {
  const play = async (...replies: object[]) => {
    const sent: { messages: { tool_calls?: { id: string }[] }[] }[] = [];
    const client = {
      reply: async ({ body }: UpstreamCall) => {
        sent.push(structuredClone(body) as (typeof sent)[number]);
        return { body: replies.shift(), headers: {} };
      },
    } as unknown as UpstreamClient;
    const callTool = jest.fn(async () => 'out');
    const engine = new CompletionsEngine(
      client,
      loadConfig({}),
      new LearntModels(),
    );
    const answer = await engine.run(
      asks('hi', { callTools: callToolsInParallel(callTool) }),
    );
    return { sent, answer, calls: callTool.mock.calls.flat() as object[] };
  };
  const reply = (message: object, more = {}) => ({
    choices: [{ message, finish_reason: 'stop', ...more }],
  });
  const done = reply({ content: 'done' });

  it('assigns an id to each call without one, and sends its result under it', async () => {
    const call = { function: { name: 'f', arguments: { a: 1 } } };
    const { sent, calls } = await play(
      reply({ tool_calls: [call, { ...call, id: '' }] }),
      done,
    );
    expect(calls).toEqual([
      { callId: expect.any(String), name: 'f', arguments: '{"a":1}' },
      { callId: expect.any(String), name: 'f', arguments: '{"a":1}' },
    ]);
    const ids = calls.map((made) => (made as { callId: string }).callId);
    expect(new Set(ids).size).toBe(2);
    expect(sent[1].messages[1].tool_calls!.map(({ id }) => id)).toEqual(ids);
    expect(sent[1].messages.slice(2)).toMatchObject(
      ids.map((id) => ({ tool_call_id: id })),
    );
  });

  it('passes invalid arguments to the tool unchanged, and never back to the endpoint', async () => {
    const broken = { id: 'a', function: { name: 'f', arguments: '{"q": "ki' } };
    const { sent, calls } = await play(
      reply(
        { content: 'Hm.', tool_calls: [broken] },
        { finish_reason: 'length' },
      ),
      done,
    );
    expect(calls).toMatchObject([{ arguments: '{"q": "ki' }]);
    expect(sent[1].messages[1]).toMatchObject({
      content: 'Hm.',
      tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }],
    });
  });

  it.each([
    ['no choices', {}],
    ['no message', { choices: [{}] }],
    ['null', { choices: null }],
    ['only blanks', reply({ content: ' \n' })],
  ])('takes %s for an answer without a text', async (_, body) => {
    const { answer } = await play(body);
    expect(answer.failure).toMatchObject({ code: 'empty_output' });
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])(
    'names the cause of an empty answer that ends with %s',
    async (finish, code) => {
      const end = { finish_reason: finish };
      const { answer } = await play(reply({ content: '' }, end));
      expect(answer.failure).toMatchObject({ code, retryable: false });
    },
  );

  it('keeps the cause of an error in a reply of success', async () => {
    const error = { code: 'content_policy_violation', message: 'Not allowed' };
    const { answer } = await play({ error });
    expect(answer.failure).toMatchObject({ code: 'content_policy' });
  });

  it('returns a refusal if there is no other text', async () => {
    const { answer } = await play(
      reply({ content: null, refusal: 'I cannot.' }),
    );
    expect(answer).toMatchObject({ text: 'I cannot.', usage: null });
  });
});
