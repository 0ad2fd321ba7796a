import { z } from 'zod';
import { loadConfig } from '../../config/load-config';
import { defineTool, type ToolOptions } from '../../tools/tool.definition';
import { ToolRegistry } from '../../tools/tool.registry';
import { Guardrails } from '../../guardrails/guardrails';
import type { FunctionCall } from '../../llm/model.types';
import { namedModels } from '../../../test/support/named-models';
import { Agents } from '../loop/agents';
import { CallLimit } from './call-limit';
import {
  type Asked,
  type CompletedToolCall,
  failed,
  reported,
} from './tool-call';
import type { RunRecord } from '../../runs/record/run.record';
import { chatReply, NO_ANSWER } from '../loop/chat.reply';
import type { ChatRequestDto } from '../dto/chat.dto';
import type { Decision } from './approvals';
import { Toolset } from './toolset';
import { AppError } from '../../errors';
import type { ChatContext, ToolCallInvoker } from './tool-call.invoker';
import { ToolCallRunner } from './tool-call.runner';

const TURN = {
  agent: null,
  text: '',
  atMs: 0,
  responseId: null,
  usage: null,
};

/** Tools that end when they are told to, or at once. */
class Caller {
  readonly begun: string[] = [];
  readonly ends = new Map<string, (outcome?: 'failed') => void>();
  held = false;
  /** Takes no notice of who leaves. */
  deaf = false;
  readonly left: string[] = [];
  readonly throws = new Map<string, AppError>();
  outcomes: CompletedToolCall['outcome'][] = [];

  call(asked: Asked, { until }: ChatContext): Promise<CompletedToolCall> {
    const text = JSON.stringify(asked.arguments);
    const id = `${asked.toolName} ${text}`;
    this.begun.push(id);
    const error = this.throws.get(id);
    if (error) return Promise.reject(error);
    const outcome = this.outcomes.shift() ?? 'reported';
    const invocation = {
      id: `inv_${this.begun.length}`,
      token: 't',
      status: 'completed' as const,
    };
    const record = { status: 'completed', text } as RunRecord;
    const ends = {
      reported: reported(asked, invocation, record),
      failed: failed(asked, invocation, { message: 'It broke.' }),
      unfinished: { ...asked, outcome, output: [], invocation },
      refused: { ...asked, outcome, output: [], invocation: null },
      told: { ...asked, outcome, output: [], invocation: null },
    };
    if (!this.held) return Promise.resolve(ends[outcome]);
    return new Promise((resolve) => {
      this.ends.set(id, () => resolve(ends[outcome]));
      until.addEventListener('abort', () => {
        this.left.push(id);
        if (!this.deaf) resolve(ends.unfinished);
      });
    });
  }
}

describe(ToolCallRunner.name, () => {
  let caller: Caller;
  let gone: AbortController;

  beforeEach(() => {
    caller = new Caller();
    gone = new AbortController();
  });

  const chat = (
    tools: Record<string, Partial<ToolOptions>>,
    env: Record<string, string> = {},
    more: Partial<ChatRequestDto> = {},
  ) => {
    const config = loadConfig(env);
    const registry = new ToolRegistry(config);
    const parameters = z.object({ n: z.int().optional() });
    for (const [name, more] of Object.entries(tools)) {
      const options = { name, description: 'Does.', parameters, ...more };
      registry.register(defineTool(options, {}));
    }
    const request = { message: 'Hello', ...more };
    const decisions = new Map<string, Decision>();
    const offer = new Toolset(registry, request, decisions);
    const calls = new ToolCallRunner({
      offer,
      budget: new CallLimit(config.tools, request),
      caller: caller as unknown as ToolCallInvoker,
      guardrails: new Guardrails(config),
      context: { request, caller: {}, until: [gone.signal] },
      guarded: { consulted: new Set(), signal: gone.signal },
      decisions,
      gone: gone.signal,
    });
    const agent = new Agents(config, namedModels(config)).first;
    let turns = 0;
    return Object.assign(calls, {
      decisions,
      functions: () => offer.functions(agent),
      callTools: (asked: FunctionCall[]) =>
        calls.make(agent, { ...TURN, calls: asked, results: [] }, turns++),
    });
  };
  /** `name` or `name 1`, the arguments being `{"n": 1}`; or `name …`, what a model wrote. */
  const turn = (...calls: string[]) =>
    calls.map((call, i) => {
      const [name, n] = call.split(' ');
      const args = /^\d+$/.test(n) ? `{"n":${n}}` : (n ?? '{}');
      return { callId: `call_${i}`, name, arguments: args };
    });
  const approve = (
    { decisions }: { decisions: Map<string, Decision> },
    asked: FunctionCall[],
  ) => asked.forEach(({ callId }) => decisions.set(callId, { approve: true }));
  const codesOf = (calls: ToolCallRunner) =>
    calls.made.map(({ outcome, output: [part] }) =>
      part?.type === 'value' ? (part.value as { code: string }).code : outcome,
    );
  const rest = () => new Promise((resolve) => setImmediate(resolve));

  it('makes no call where no tools were to be offered, though the model makes one up', async () => {
    const calls = chat({ a: {} }, {}, { auto_tool_call: false });
    expect(calls.functions()).toEqual([]);
    const { outputs } = await calls.callTools([
      { callId: '1', name: 'a', arguments: '{}' },
    ]);
    expect(outputs).toEqual([
      [
        {
          type: 'value',
          value: { code: 'UNKNOWN_TOOL', message: 'There are no tools.' },
        },
      ],
    ]);
    expect(caller.begun).toEqual([]);
  });

  it('makes the calls of a turn at once, and answers them in their order', async () => {
    caller.held = true;
    const calls = chat({ a: {}, b: {} });
    const done = calls.callTools(turn('a 1', 'b 2', 'a 3'));
    await rest();
    expect(caller.begun).toEqual(['a {"n":1}', 'b {"n":2}', 'a {"n":3}']);
    [...caller.ends.values()].reverse().forEach((end) => end());
    const { outputs, done: over } = await done;
    expect(outputs.map(([part]) => part)).toEqual(
      [1, 2, 3].map((n) => ({ type: 'text', text: `{"n":${n}}` })),
    );
    expect(over).toBe(false);
    expect(calls.made.map(({ callId }) => callId)).toEqual([
      'call_0',
      'call_1',
      'call_2',
    ]);
  });

  it('makes what may destroy something one after the other, and the others meanwhile', async () => {
    caller.held = true;
    const destroys = { annotations: { destructiveHint: true } };
    const calls = chat({ drop: destroys, wipe: destroys, look: {} });
    const asked = turn('drop 1', 'wipe 2', 'look 3', 'drop 4');
    approve(calls, asked);
    const done = calls.callTools(asked);
    await rest();
    expect(caller.begun).toEqual(['look {"n":3}', 'drop {"n":1}']);
    for (const [id, next] of [
      ['drop {"n":1}', 'wipe {"n":2}'],
      ['wipe {"n":2}', 'drop {"n":4}'],
    ]) {
      caller.ends.get(id)!();
      await rest();
      expect(caller.begun.at(-1)).toBe(next);
    }
    for (const end of caller.ends.values()) end();
    expect((await done).outputs).toHaveLength(4);
  });

  it('begins no other that may destroy something once nobody is there any more', async () => {
    caller.held = true;
    const calls = chat({ drop: { annotations: { destructiveHint: true } } });
    const asked = turn('drop 1', 'drop 2');
    approve(calls, asked);
    const done = calls.callTools(asked);
    await rest();
    gone.abort();
    caller.ends.get('drop {"n":1}')!();
    await expect(done).rejects.toBe(gone.signal.reason);
    expect(caller.begun).toHaveLength(1);
    await expect(calls.callTools(turn('drop 3'))).rejects.toBe(
      gone.signal.reason,
    );
  });

  it('leaves all calls of a turn when one of them cannot be made, and none of them behind', async () => {
    caller.held = true;
    const calls = chat({ a: {}, b: {} });
    const full = new AppError('capacity_exceeded');
    caller.throws.set('b {"n":2}', full);
    const done = calls.callTools(turn('a 1', 'b 2'));
    await expect(done).rejects.toBe(full);
    expect(caller.left).toEqual(['a {"n":1}']);
    await expect(calls.callTools(turn('a 3'))).rejects.toBe(full);
  });

  it('is not settled before what was being begun is', async () => {
    caller.held = true;
    caller.deaf = true;
    const calls = chat({ a: {} });
    const done = calls.callTools(turn('a 1'));
    await rest();
    gone.abort();
    let settled = false;
    const settling = calls.settled().then(() => (settled = true));
    await rest();
    expect(settled).toBe(false);
    caller.ends.get('a {"n":1}')!();
    await settling;
    await expect(done).rejects.toBe(gone.signal.reason);
  });

  it('makes a call once whose repetition would change nothing, in any turn', async () => {
    const calls = chat({ set: { annotations: { idempotentHint: true } } });
    await calls.callTools(turn('set 1', 'set 1', 'set 2'));
    const { outputs } = await calls.callTools(turn('set 1'));
    expect(caller.begun).toEqual(['set {"n":1}', 'set {"n":2}']);
    expect(outputs).toEqual([[{ type: 'text', text: '{"n":1}' }]]);
    expect(calls.made.map(({ invocation }) => invocation!.id)).toEqual([
      'inv_1',
      'inv_1',
      'inv_2',
      'inv_1',
    ]);
  });

  it('makes any other as often as it is asked for', async () => {
    const calls = chat({ roll: {}, look: { annotations: {} } });
    await calls.callTools(turn('roll 1', 'roll 1', 'look 1', 'look 1'));
    expect(caller.begun).toHaveLength(4);
  });

  it('tells the model that there is no such tool, and which there are', async () => {
    const calls = chat(
      {
        a: {},
        hidden: { internal: true },
        off: {},
      },
      { RELAY_TOOLS_OFF: 'off' },
    );
    await calls.callTools(turn('wikipedia', 'hidden', 'off', 'constructor'));
    expect(codesOf(calls)).toEqual(Array(4).fill('UNKNOWN_TOOL'));
    expect(calls.made[0].output).toEqual([
      {
        type: 'value',
        value: {
          code: 'UNKNOWN_TOOL',
          message: 'There is no tool of this name. There is: a.',
        },
      },
    ]);
    expect(caller.begun).toEqual([]);
  });

  it('makes no more calls of one tool than are allowed in a request', async () => {
    const calls = chat({ a: {}, b: {} }, { RELAY_MAX_CALLS_PER_TOOL: '2' });
    await calls.callTools(turn('a 1', 'b 1', 'a 2', 'a 3'));
    await calls.callTools(turn('a 4', 'b 2', 'b 3'));
    expect(codesOf(calls)).toEqual([
      'reported',
      'reported',
      'reported',
      'LIMIT_REACHED',
      'LIMIT_REACHED',
      'reported',
      'LIMIT_REACHED',
    ]);
    expect(caller.begun).toHaveLength(4);
    expect(JSON.stringify(calls.made[3].output)).toContain(
      'called 2 times, and cannot be called again',
    );
  });

  it('makes no more calls in all than are allowed in a request', async () => {
    const set = { annotations: { idempotentHint: true } };
    const calls = chat({ a: {}, set }, { RELAY_MAX_TOOL_CALLS: '2' });
    await calls.callTools(turn('a 1', 'set 1', 'a 2', 'set 1', 'nothing'));
    expect(codesOf(calls)).toEqual([
      'reported',
      'reported',
      'LIMIT_REACHED',
      'reported',
      'UNKNOWN_TOOL',
    ]);
  });

  describe('ends the turns of the model', () => {
    const direct = { returnDirect: true };
    const reply = (calls: ToolCallRunner) => chatReply(NO_ANSWER, calls, null);

    it('with the results, if all tools of a turn return them directly', async () => {
      const calls = chat({ a: direct, b: direct });
      const { done } = await calls.callTools(turn('a 1', 'b 2'));
      expect(done).toBe(true);
      expect(reply(calls)).toMatchObject({
        content: '{"n":1}\n\n{"n":2}',
        tool_called: true,
        research_summary: null,
      });
    });

    it('but not if one of them does not, or does not succeed', async () => {
      const calls = chat({ a: direct, b: {} });
      expect((await calls.callTools(turn('a 1', 'b 2'))).done).toBe(false);
      caller.outcomes = ['reported', 'failed'];
      expect((await calls.callTools(turn('a 1', 'a 2'))).done).toBe(false);
      expect((await calls.callTools(turn('a 1', 'none'))).done).toBe(false);
      const { done } = await calls.callTools(turn('a 5'));
      expect(done).toBe(true);
      expect(reply(calls).content).toBe('{"n":5}');
    });

    it('when a tool failed that the request is nothing without', async () => {
      caller.outcomes = ['reported', 'failed'];
      const calls = chat({ a: {}, b: { onError: 'fail' } });
      const { done } = await calls.callTools(turn('a 1', 'b 2'));
      expect(done).toBe(true);
      expect(reply(calls)).toMatchObject({
        content: 'b failed. Please retry later.',
        tool_called: true,
        tool_name: 'a',
        research_summary: null,
      });
    });

    it('but not if it succeeded once, and tells the model of any other failure', async () => {
      caller.outcomes = ['failed', 'reported', 'failed'];
      const calls = chat({ a: {}, b: { onError: 'fail' } });
      const { done, outputs } = await calls.callTools(
        turn('a 1', 'b 2', 'b 3'),
      );
      expect(done).toBe(false);
      const value = { code: 'TOOL_FAILED', message: 'It broke.' };
      expect(outputs[0]).toEqual([{ type: 'value', value }]);
      const answered = { ...NO_ANSWER, text: 'Without it, then.' };
      expect(chatReply(answered, calls, null).content).toBe(
        'Without it, then.',
      );
    });

    it('when one is not finished, and says where it can be read', async () => {
      caller.outcomes = ['unfinished'];
      const calls = chat({ a: direct });
      expect((await calls.callTools(turn('a 1'))).done).toBe(true);
      expect(reply(calls).content).toBe(
        'a is not finished yet and goes on. Read it later at /api/v1/tool-invocations/inv_1.',
      );
    });
  });

  it('takes what is no JSON object for no arguments at all', async () => {
    const calls = chat({ a: {} });
    await calls.callTools(turn('a [1]', 'a {oops', 'a '));
    expect(calls.made.map((call) => call.arguments)).toEqual([null, null, {}]);
  });
});
