import {
  researchTool,
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../sandbox/testing/sandbox-under-test';
import { LearntModels } from '../models/learnt-models';
import { callToolsInParallel } from '../../../test/support/chat/parallel-tool-calls';
import { loadConfig } from '../../config/load-config';
import type { ToolDescription } from '../../platform/message/tool-description';
import type { ModelRequest } from '../turns/model.types';
import { ResponsesEngine } from './responses-engine';
import { UpstreamClient } from '../upstream/upstream.client';

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

describe(ResponsesEngine.name, () => {
  let sandbox: SandboxUnderTest;
  let upstream: UpstreamClient;
  let engine: ResponsesEngine;

  const start = (turnSeconds = 30) => {
    const config = loadConfig({
      LITELLM_BASE_URL: sandbox.url,
      RELAY_TIMEOUT_SECONDS: String(turnSeconds),
      RELAY_MAX_TURNS: '3',
    });
    upstream = new UpstreamClient(config);
    engine = new ResponsesEngine(upstream, config, new LearntModels());
  };
  const bodies = async () => {
    const { data } = await sandbox.get<{
      data: { body: Record<string, unknown> & { input: { type: string }[] } }[];
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
    expect(answer.text).toContain('Hello');
    expect(answer.failure).toBeNull();
    expect(answer.responseId).toMatch(/^resp_/);
    expect(callTool).not.toHaveBeenCalled();
    expect(await bodies()).toEqual([
      {
        model: 'gpt-4o',
        max_output_tokens: 16_384,
        input: [{ type: 'message', role: 'user', content: 'Hello!' }],
        tools: [{ type: 'function', strict: true, ...tool }],
      },
    ]);
  });

  it('sends the result of the tool, and only that', async () => {
    const callTool = jest.fn(async () => 'It came to Incheon in 1883.');
    const answer = await engine.run(
      asks('Research the history of jajangmyeon', {
        callTools: callToolsInParallel(callTool),
      }),
    );
    expect(answer.text).toContain('Incheon in 1883');
    expect(callTool.mock.calls).toEqual([
      [
        {
          callId: expect.stringMatching(/./),
          name: 'deep_research',
          arguments: expect.stringContaining('jajangmyeon'),
        },
      ],
    ]);
    const [first, second] = await bodies();
    expect(first.previous_response_id).toBeUndefined();
    expect(second.previous_response_id).toMatch(/^resp_/);
    expect(second.input).toMatchObject([
      { type: 'function_call_output', output: 'It came to Incheon in 1883.' },
    ]);
    expect(second.tools).toEqual(first.tools);
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

  it('runs all calls of a turn concurrently', async () => {
    let begun = 0;
    let release: () => void;
    const bothBegan = new Promise<void>((resolve) => (release = resolve));
    const callTool = async () => {
      begun += 1;
      if (begun === 2) release();
      await bothBegan;
      return 'done';
    };
    const answer = await engine.run(
      asks('Research in detail:\n- kimchi\n- sourdough', {
        callTools: callToolsInParallel(callTool),
      }),
    );
    expect(begun).toBe(2);
    expect(answer.text).not.toBeNull();
  });

  it('takes no further turn after `done`', async () => {
    const answer = await engine.run(
      asks('Research kimchi', {
        callTools: async () => ({ outputs: [[]], done: true }),
      }),
    );
    expect(answer).toMatchObject({ text: null, failure: null });
    expect(answer.responseId).toMatch(/^resp_/);
    expect(await bodies()).toHaveLength(1);
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

  it.each([429, 500, 503])('repeats a turn after a %i', async (status) => {
    await sandbox.fault({
      kind: 'status',
      status,
      retry_after_ms: 1,
      count: 2,
    });
    const answer = await engine.run(asks('Hello!'));
    expect(answer.failure).toBeNull();
    expect(answer.text).toContain('Hello');
  });

  it('fails after three attempts, and names the fault', async () => {
    await sandbox.fault({
      kind: 'status',
      status: 503,
      retry_after_ms: 1,
      count: 3,
    });
    const answer = await engine.run(asks('Hello!'));
    expect(answer).toMatchObject({
      text: null,
      failure: { code: 'upstream_error' },
      responseId: null,
      usage: null,
    });
    expect((await sandbox.get<{ turns: number }>('/sandbox/stats')).turns).toBe(
      0,
    );
  });

  it('does not repeat a refused request', async () => {
    await sandbox.fault({ kind: 'status', status: 401, count: 1 });
    const answer = await engine.run(asks('Hello!'));
    expect(answer.failure).toMatchObject({ code: 'upstream_unauthorized' });
  });

  it('keeps the results of earlier turns when a later turn fails', async () => {
    await sandbox.fault({
      kind: 'status',
      status: 401,
      match: { body: 'function_call_output' },
    });
    const answer = await engine.run(asks('Research kimchi'));
    expect(answer).toMatchObject({
      text: null,
      failure: { code: 'upstream_unauthorized' },
    });
    expect(answer.responseId).toMatch(/^resp_/);
    expect(answer.usage!.total_tokens).toBeGreaterThan(0);
  });

  it('fails a turn that exceeds its time limit', async () => {
    start(1);
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

  it('treats an answer without text as a failure', async () => {
    await sandbox.fault({ kind: 'empty' });
    const answer = await engine.run(asks('Hello!'));
    expect(answer.failure).toMatchObject({ code: 'empty_output' });
  });

  it('treats a failed response as a failure', async () => {
    await sandbox.fault({ kind: 'failed' });
    const answer = await engine.run(asks('Hello!'));
    expect(answer.failure).toMatchObject({ code: 'upstream_failed' });
  });

  it('sends everything again to a stateless endpoint, and remembers that it is', async () => {
    await sandbox.fault({
      kind: 'status',
      status: 404,
      match: { body: 'previous_response_id' },
      count: 0,
    });
    const first = await engine.run(asks('Research kimchi'));
    expect(first.text).toContain('Jajangmyeon came to Incheon');
    const second = await engine.run(asks('Research kimchi'));
    expect(second.text).toContain('Jajangmyeon came to Incheon');
    const { data: faults } = await sandbox.get<{ data: { hits: number }[] }>(
      '/sandbox/faults',
    );
    expect(faults[0].hits).toBe(1);
    const last = (await bodies()).at(-1)!;
    expect(last.previous_response_id).toBeUndefined();
    expect(last.input.map(({ type }) => type)).toEqual([
      'message',
      'function_call',
      'function_call_output',
    ]);
  });

  it('returns a refusal if sending everything does not help', async () => {
    await sandbox.fault({
      kind: 'status',
      status: 400,
      match: { body: 'function_call_output' },
      count: 2,
    });
    const answer = await engine.run(asks('Research kimchi'));
    expect(answer.failure).toMatchObject({ code: 'upstream_rejected' });
    await engine.run(asks('Research kimchi'));
    expect((await bodies()).at(-1)!.previous_response_id).toMatch(/^resp_/);
  });
});
