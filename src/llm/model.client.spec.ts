import { Logger } from '@nestjs/common';
import { LearntModels } from './models/learnt-models';
import {
  researchTool,
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../sandbox/testing/sandbox-under-test';
import { callToolsInParallel } from '../../test/support/chat/parallel-tool-calls';
import { ScriptedUpstream } from '../../test/support/upstream/scripted-upstream';
import { loadConfig } from '../config/load-config';
import type { MessageDelta } from '../platform/message/delta';
import { CompletionsEngine } from './completions/completions-engine';
import type { ModelRequest } from './turns/model.types';
import { ModelClient } from './model.client';
import { ResponsesEngine } from './responses/responses-engine';
import { UpstreamClient } from './upstream/upstream.client';

const NO_RESPONSES = {
  kind: 'status',
  status: 404,
  body: 'detail',
  match: { path: '/responses' },
  count: 0,
};
const NO_COMPLETIONS = { ...NO_RESPONSES, match: { path: '/chat/' } };
const NO_TOOLS = { kind: 'refuse_tools', count: 0 };
/** Refuses requests with tools, without a reason. */
const BARE = {
  kind: 'status',
  status: 400,
  message: 'Bad Request',
  match: { body: '"tools":[' },
  count: 0,
};
const QUESTION = 'Research the history of jajangmyeon';

describe(ModelClient.name, () => {
  let sandbox: SandboxUnderTest;
  let upstream: UpstreamClient;
  let port: ModelClient;
  let logs: jest.SpyInstance;
  let scripted: ScriptedUpstream;

  const start = (env = {}) => {
    const config = loadConfig({ LITELLM_BASE_URL: sandbox.url, ...env });
    upstream = new UpstreamClient(config);
    port = new ModelClient(
      new ResponsesEngine(upstream, config, new LearntModels()),
      new CompletionsEngine(upstream, config, new LearntModels()),
      new LearntModels(),
      config,
    );
  };
  const ask = (text = QUESTION, more: Partial<ModelRequest> = {}) =>
    port.run({
      model: 'gpt-4o',
      input: [{ role: 'user', contents: [{ type: 'text', text }] }],
      tools: [researchTool],
      callTools: callToolsInParallel(async () => 'It came to Incheon in 1883.'),
      signal: new AbortController().signal,
      ...more,
    });
  /** The requests since the last call: `responses`, `completions`, with `+tools` if they contained tools. */
  let seen = 0;
  const routes = async () => {
    const { data } = await sandbox.get<{
      data: { path: string; body: { tools?: unknown } }[];
    }>('/sandbox/requests?last=50');
    const fresh = data.slice(seen);
    seen = data.length;
    return fresh.map(({ path, body }) => {
      const protocol = path.includes('/chat/') ? 'completions' : 'responses';
      return body.tools ? `${protocol}+tools` : protocol;
    });
  };

  beforeAll(async () => {
    sandbox = await sandboxUnderTest();
    scripted = await ScriptedUpstream.start();
  });
  beforeEach(async () => {
    await sandbox.reset();
    seen = 0;
    logs = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    start();
  });
  afterEach(async () => {
    jest.useRealTimers();
    logs.mockRestore();
    await upstream.onApplicationShutdown();
  });
  afterAll(() => Promise.all([sandbox.close(), scripted.close()]));

  it.each<[string, Record<string, unknown>[], string[], string[]]>([
    [
      'over Responses if everything is supported',
      [],
      ['responses+tools', 'responses+tools'],
      ['responses+tools', 'responses+tools'],
    ],
    [
      'over Chat Completions if Responses is missing',
      [NO_RESPONSES],
      ['responses+tools', 'completions+tools', 'completions+tools'],
      ['completions+tools', 'completions+tools'],
    ],
    [
      'by prompt over Responses if tools are refused',
      [NO_TOOLS],
      ['responses+tools', 'responses', 'responses'],
      ['responses', 'responses'],
    ],
    [
      'by prompt over Chat Completions if Responses and tools are missing',
      [NO_RESPONSES, NO_TOOLS],
      ['responses+tools', 'completions+tools', 'completions', 'completions'],
      ['completions', 'completions'],
    ],
    [
      'by prompt if requests with tools are refused without a reason',
      [BARE],
      ['responses+tools', 'responses', 'responses'],
      ['responses', 'responses'],
    ],
    [
      'by prompt if tools are refused over Chat Completions with an HTML page',
      [NO_RESPONSES, { ...BARE, status: 422, body: 'html' }],
      ['responses+tools', 'completions+tools', 'completions', 'completions'],
      ['completions', 'completions'],
    ],
  ])(
    'calls tools %s, and remembers the route',
    async (_, faults, first, second) => {
      for (const fault of faults) await sandbox.fault(fault);
      for (const expected of [first, second]) {
        const answer = await ask();
        expect(answer.failure).toBeNull();
        expect(answer.text).toContain('Incheon in 1883');
        expect(await routes()).toEqual(expected);
      }
    },
  );

  it.each([
    ['Responses', []],
    ['Chat Completions', [NO_RESPONSES]],
    ['the prompt over Responses', [NO_TOOLS]],
    ['the prompt over Chat Completions', [NO_RESPONSES, NO_TOOLS]],
  ])(
    'sends the answer over %s once, and nothing of failed routes',
    async (_, faults) => {
      for (const fault of faults) await sandbox.fault(fault);
      let received = '';
      const onDelta = ({ contents = [] }: MessageDelta) => {
        received += contents.map(({ text = '' }) => text).join('');
      };
      const answer = await ask(QUESTION, { onDelta });
      expect(answer.text).toContain('Incheon in 1883');
      expect(received).toBe(answer.text);
    },
  );

  it.each<[what: string, more: Partial<ModelRequest>, sdk: boolean]>([
    ['a bare chat', {}, false],
    ['a chat without hosted tools that may be used', { hosted: [] }, false],
    ['a chat of a configured agent', { byAgent: true }, true],
    ['a chat with hosted tools', { hosted: ['web_search'] }, true],
  ])('uses the Agents SDK first for %s: %j, %s', async (_, more, sdk) => {
    await ask(QUESTION, more);
    const { data } = await sandbox.get<{ data: { body: object }[] }>(
      '/sandbox/requests?last=1',
    );
    // The SDK sends the whole conversation in every turn.
    expect('previous_response_id' in data[0].body).toBe(!sdk);
  });

  it.each(['responses', 'agents'])(
    'uses the engine "%s" for every chat if no other is configured',
    async (engine) => {
      await upstream.onApplicationShutdown();
      start({ RELAY_CHAT_ENGINES: engine });
      for (const byAgent of [false, true]) {
        await ask(QUESTION, { byAgent });
        const { data } = await sandbox.get<{ data: { body: object }[] }>(
          '/sandbox/requests?last=1',
        );
        expect('previous_response_id' in data[0].body).toBe(
          engine === 'responses',
        );
      }
    },
  );

  it.each<
    [engines: string, faults: Record<string, unknown>[], expected: string[]]
  >([
    ['responses', [], ['responses+tools', 'responses+tools']],
    ['prompt', [], ['responses', 'responses']],
    ['prompt,agents', [], ['responses', 'responses']],
    ['agents,responses', [NO_TOOLS], ['responses+tools']],
    [
      'prompt,responses',
      [NO_RESPONSES],
      ['responses', 'completions', 'completions'],
    ],
  ])(
    'tries %s, with %j, in this order, and no other engine',
    async (engines, faults, expected) => {
      await upstream.onApplicationShutdown();
      start({ RELAY_CHAT_ENGINES: engines });
      for (const fault of faults) await sandbox.fault(fault);
      await ask();
      expect(await routes()).toEqual(expected);
    },
  );

  describe('when the Agents SDK fails', () => {
    let scripted: ScriptedUpstream;
    let warnings: jest.SpyInstance;
    const answer = {
      id: 'resp_1',
      output: [{ type: 'message', content: [{ text: 'Done.' }] }],
    };
    /** Its first item is one that the SDK cannot read. */
    const strange = {
      output: [
        { type: 'computer_call', call_id: 'c' },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      ],
    };

    beforeEach(async () => {
      jest.spyOn(Logger.prototype, 'debug').mockReturnValue();
      warnings = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      scripted = await ScriptedUpstream.start();
      await upstream.onApplicationShutdown();
      start({
        LITELLM_BASE_URL: scripted.url,
        RELAY_CHAT_ENGINES: 'agents,responses,prompt',
      });
    });
    afterEach(async () => {
      jest.restoreAllMocks();
      await scripted.close();
    });

    it('continues without it, remembers that, and logs it once', async () => {
      const callTool = jest.fn(async () => 'out');
      const more = { callTools: callToolsInParallel(callTool) };
      for (const model of ['gpt-4o', 'gpt-4.1']) {
        scripted.play(strange, strange, answer, strange, answer);
        for (const sent of [3, 5]) {
          const { text } = await ask(QUESTION, { ...more, model });
          expect(text).toBe('Done.');
          expect(scripted.bodies).toHaveLength(sent);
        }
      }
      expect(callTool).toHaveBeenCalledTimes(4);
      expect(warnings).toHaveBeenCalledTimes(1);
    });

    it('does not continue after a delta was sent, but skips it from then on', async () => {
      const callTool = jest.fn(async () => 'out');
      const more = {
        callTools: callToolsInParallel(callTool),
        onDelta: jest.fn(),
      };
      const text = { type: 'message', content: [{ text: 'Well.' }] };
      scripted.play({ output: [text, ...strange.output] }, strange, answer);
      const { failure } = await ask(QUESTION, more);
      expect(failure).toMatchObject({ code: 'internal_error' });
      expect(scripted.bodies).toHaveLength(1);
      expect(callTool).not.toHaveBeenCalled();
      expect((await ask(QUESTION, more)).text).toBe('Done.');
      expect(callTool).toHaveBeenCalledTimes(1);
    });

    it('returns the failure of the engines after it', async () => {
      const missing = { error: { message: 'no such path', code: 404 } };
      scripted.play(strange, [missing], [missing]);
      const { failure } = await ask(QUESTION, { onDelta: jest.fn() });
      expect(failure).toMatchObject({ fault: { status: 404 } });
      expect(scripted.bodies).toHaveLength(3);
    });
  });

  it('tries no other route after a delta was sent', async () => {
    const broken = { error: { message: 'no tools here', code: 404 } };
    scripted.play([
      { type: 'response.output_text.delta', output_index: 0, delta: 'Well' },
      broken,
    ]);
    await upstream.onApplicationShutdown();
    start({ LITELLM_BASE_URL: scripted.url });
    const onDelta = jest.fn();
    const { failure } = await ask(QUESTION, { onDelta });
    expect(failure).toMatchObject({ fault: { status: 404 } });
    expect(onDelta).toHaveBeenCalledTimes(1);
    expect(scripted.bodies).toHaveLength(1);
  });

  it('tries no other route after a prompted model made a call of the protocol', async () => {
    const call = { type: 'function_call', call_id: 'a', name: 'f' };
    const missing = { error: { message: 'no such path', code: 404 } };
    // After the refusal everything is sent once before the turn fails.
    scripted.play({ id: 'resp_1', output: [call] }, [missing], [missing]);
    await upstream.onApplicationShutdown();
    start({
      LITELLM_BASE_URL: scripted.url,
      DISABLE_NATIVE_TOOLS_FOR_MODELS: '*',
    });
    const callTools = jest.fn(async () => ({ outputs: [[]] }));
    const { failure } = await ask(QUESTION, { callTools, onDelta: jest.fn() });
    expect(failure).toMatchObject({ fault: { status: 404 } });
    expect(callTools).toHaveBeenCalledTimes(1);
    expect(new Set(scripted.paths)).toEqual(new Set(['/v1/responses']));
  });

  it('remembers routes per model', async () => {
    await sandbox.fault({ ...NO_TOOLS, match: { model: 'gpt-4o' } });
    await ask();
    await routes();
    await ask(QUESTION, { model: 'gpt-4.1' });
    expect(await routes()).toEqual(['responses+tools', 'responses+tools']);
  });

  it('logs which tool was called by prompt, but not its arguments', async () => {
    await sandbox.fault(NO_TOOLS);
    await ask();
    const lines = logs.mock.calls.map(([line]) => String(line));
    expect(lines).toContain('gpt-4o called deep_research by prompt');
    expect(lines.join('\n')).not.toContain('jajangmyeon');
  });

  it('tries a refused route again after ten minutes', async () => {
    jest.useFakeTimers({
      doNotFake: [
        'nextTick',
        'setImmediate',
        'setTimeout',
        'clearTimeout',
        'queueMicrotask',
        'performance',
      ],
    });
    await sandbox.fault(NO_RESPONSES);
    await sandbox.fault(NO_TOOLS);
    await ask();
    await sandbox.clearFaults();
    await routes();
    jest.advanceTimersByTime(10 * 60 * 1000 - 1000);
    await ask('Hello!');
    jest.advanceTimersByTime(2000);
    await ask('Hello!');
    expect(await routes()).toEqual(['completions', 'responses+tools']);
  });

  it('keeps tools in the prompt after a request without tools in between', async () => {
    await sandbox.fault(NO_TOOLS);
    await ask();
    await ask('Hello!', { tools: [] });
    await routes();
    await ask('Hello!');
    expect(await routes()).toEqual(['responses']);
  });

  it.each([
    ['the name', 'other,gpt-4o', true],
    ['the begin of the name', 'gpt-*', true],
    ['every name', '*', true],
    ['another name', 'gpt-4o-mini', false],
    ['the begin without a wildcard', 'gpt-4', false],
  ])(
    'accepts %s in DISABLE_NATIVE_TOOLS_FOR_MODELS',
    async (_, names, prompted) => {
      await upstream.onApplicationShutdown();
      start({ DISABLE_NATIVE_TOOLS_FOR_MODELS: names });
      const answer = await ask();
      expect(answer.text).toContain('Incheon in 1883');
      const route = prompted ? 'responses' : 'responses+tools';
      expect(await routes()).toEqual([route, route]);
    },
  );

  it('tries once by prompt if everything is refused without a reason, and remembers nothing', async () => {
    await sandbox.fault({ ...BARE, match: {} });
    for (const _ of [1, 2]) {
      const { failure } = await ask();
      expect(failure).toMatchObject({ code: 'upstream_rejected' });
      expect(await routes()).toEqual(['responses+tools', 'responses']);
    }
  });

  it('sends no second request if one without tools is refused without a reason', async () => {
    await sandbox.fault({ ...BARE, match: {} });
    await ask('Hello!', { tools: [] });
    expect(await routes()).toEqual(['responses']);
  });

  it('returns the reason of the second refusal', async () => {
    await sandbox.fault(BARE);
    await sandbox.fault({
      ...BARE,
      match: {},
      message: 'Too long',
      code: 'context_length_exceeded',
    });
    const { failure } = await ask();
    expect(failure).toMatchObject({
      fault: { code: 'context_length_exceeded' },
    });
    expect(await routes()).toEqual(['responses+tools', 'responses']);
  });

  it.each([
    ['a context that is too long', 'context_length_exceeded'],
    ['a policy', 'content_policy_violation'],
    ['an image', 'invalid_image'],
  ])('sends no second request after %s', async (_, code) => {
    await sandbox.fault({ ...BARE, code });
    const { failure } = await ask();
    expect(failure).toMatchObject({ fault: { code } });
    expect(await routes()).toEqual(['responses+tools']);
  });

  it('returns the first failure if both protocols are missing, and remembers nothing', async () => {
    await sandbox.fault({ ...NO_RESPONSES, message: 'no responses' });
    await sandbox.fault({ ...NO_COMPLETIONS, status: 405 });
    for (const _ of [1, 2]) {
      const { failure } = await ask();
      expect(failure).toMatchObject({ fault: { status: 404 } });
      expect(await routes()).toEqual(['responses+tools', 'completions+tools']);
    }
  });

  it('tries both protocols again when the remembered one is no longer supported', async () => {
    await sandbox.fault(NO_RESPONSES);
    await ask();
    await sandbox.clearFaults();
    await sandbox.fault(NO_COMPLETIONS);
    await routes();
    expect((await ask('Hello!')).failure).not.toBeNull();
    expect((await ask('Hello!')).failure).toBeNull();
    expect(await routes()).toEqual(['completions+tools', 'responses+tools']);
  });

  it('returns the failure of the other route', async () => {
    await sandbox.fault(NO_RESPONSES);
    await sandbox.fault({
      kind: 'status',
      status: 401,
      match: { path: '/chat/' },
    });
    const { failure } = await ask();
    expect(failure).toMatchObject({ code: 'upstream_unauthorized' });
  });

  it.each([
    ['a model that does not exist', { kind: 'model_gone', count: 0 }],
    ['a refusal of another kind', { kind: 'status', status: 400, count: 0 }],
    ['a refusal of the key', { kind: 'status', status: 401, count: 0 }],
    ['an answer without a text', { kind: 'empty', count: 0 }],
  ])('tries no other route after %s', async (_, fault) => {
    await sandbox.fault(fault);
    expect((await ask('Hello!')).failure).not.toBeNull();
    expect(await routes()).toEqual(['responses+tools']);
  });

  it.each([
    ['no longer exists', { kind: 'status', status: 404, count: 0 }],
    ['refuses tools', { kind: 'refuse_tools', count: 0 }],
  ])(
    'tries no other route after a tool was called, even if the endpoint then %s',
    async (_, fault) => {
      const callTool = jest.fn(async () => {
        await sandbox.fault(fault);
        return 'done';
      });
      const { failure, responseId } = await ask(QUESTION, {
        callTools: callToolsInParallel(callTool),
      });
      expect(failure).toMatchObject({ code: 'upstream_rejected' });
      expect(responseId).toMatch(/^resp_/);
      expect(callTool).toHaveBeenCalledTimes(1);
      expect(new Set(await routes())).toEqual(new Set(['responses+tools']));
    },
  );

  it('rejects with the reason of the signal of the caller', async () => {
    const aborted = AbortSignal.abort(new Error('gone'));
    await expect(ask('Hello!', { signal: aborted })).rejects.toThrow('gone');
  });
});
