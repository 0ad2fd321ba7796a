import { z } from 'zod';
import { loadConfig } from '../../config/load-config';
import { defineTool, type ToolOptions } from '../../tools/tool-definition';
import { ToolRegistry } from '../../tools/tool-registry';
import { Guardrails } from '../../tools/guardrails/guardrails';
import type { FunctionCall } from '../../llm/turns/model.types';
import { namedModels } from '../../../test/support/upstream/named-models';
import { Agents } from '../turns/chat-agents';
import { CallLimit } from './call-limit';
import {
  type CompletedToolCall,
  failedCall,
  reportedCall,
  type RequestedCall,
  type ToolCallResults,
} from '../turns/tool-call';
import type { RunRecord } from '../../runs/record/run-record';
import { chatReply, NO_ANSWER } from '../loop/chat-reply';
import type { ChatRequestDto } from '../dto/chat.dto';
import type { Decision } from './approvals';
import { Toolset } from './toolset';
import { AppError } from '../../platform/errors';
import type { ChatContext, ToolCallInvoker } from './tool-call-invoker';
import { ToolCallRunner } from './tool-call-runner';

const BROKEN = {
  code: 'tool_failed',
  message: 'It broke.',
  retryable: false,
} as const;

const TURN = {
  agent: null,
  text: '',
  atMs: 0,
  responseId: null,
  usage: null,
};

/** Tools that end at once, or when the test ends them. */
class Invoker {
  readonly started: string[] = [];
  readonly ends = new Map<string, (outcome?: 'failed') => void>();
  suspended = false;
  /** Ignores the abort of a wait. */
  ignoresAbort = false;
  readonly aborted: string[] = [];
  readonly throws = new Map<string, AppError>();
  outcomes: CompletedToolCall['outcome'][] = [];

  invoke(
    call: RequestedCall,
    { waitSignal }: ChatContext,
  ): Promise<CompletedToolCall> {
    const text = JSON.stringify(call.arguments);
    const id = `${call.toolName} ${text}`;
    this.started.push(id);
    const error = this.throws.get(id);
    if (error) return Promise.reject(error);
    const outcome = this.outcomes.shift() ?? 'reported';
    const invocation = {
      id: `inv_${this.started.length}`,
      token: 't',
      status: 'completed' as const,
    };
    const record = { status: 'completed', text } as RunRecord;
    const ends = {
      reported: reportedCall(call, invocation, record),
      failed: failedCall(call, invocation, BROKEN),
      unfinished: { ...call, outcome, output: [], invocation },
      refused: { ...call, outcome, output: [], invocation: null },
      told: { ...call, outcome, output: [], invocation: null },
      open: { ...call, outcome, output: [], invocation: null },
    };
    if (!this.suspended) return Promise.resolve(ends[outcome]);
    return new Promise((resolve) => {
      this.ends.set(id, () => resolve(ends[outcome]));
      waitSignal.addEventListener('abort', () => {
        this.aborted.push(id);
        if (!this.ignoresAbort) resolve(ends.unfinished);
      });
    });
  }
}

describe(ToolCallRunner.name, () => {
  let invoker: Invoker;
  let client: AbortController;

  beforeEach(() => {
    invoker = new Invoker();
    client = new AbortController();
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
    const toolset = new Toolset(registry, request, decisions);
    const calls = new ToolCallRunner({
      toolset,
      limit: new CallLimit(config.tools, request),
      invoker: invoker as unknown as ToolCallInvoker,
      guardrails: new Guardrails(config),
      context: { request, caller: {}, waitSignals: [client.signal] },
      guarded: { consulted: new Set(), signal: client.signal },
      decisions,
      signal: client.signal,
    });
    const agent = new Agents(config, namedModels(config)).first;
    let turns = 0;
    const consult = () => Promise.reject(new Error('There is one agent.'));
    const made = Object.assign(calls, {
      decisions,
      direct: [] as readonly CompletedToolCall[],
      functions: () => toolset.functions(agent),
      callTools: async (requested: FunctionCall[]) => {
        const turn = { ...TURN, calls: requested, results: [] };
        const ran = await calls.runTurn(agent, turn, turns++, consult);
        made.direct = ran.direct;
        return ran;
      },
    });
    return made;
  };
  /** `name`, `name 1` for the arguments `{"n": 1}`, or `name …` for any text as arguments. */
  const turn = (...calls: string[]) =>
    calls.map((call, i) => {
      const [name, n] = call.split(' ');
      const args = /^\d+$/.test(n) ? `{"n":${n}}` : (n ?? '{}');
      return { callId: `call_${i}`, name, arguments: args };
    });
  const approve = (
    { decisions }: { decisions: Map<string, Decision> },
    requested: FunctionCall[],
  ) =>
    requested.forEach(({ callId }) => decisions.set(callId, { approve: true }));
  const codesOf = (calls: ToolCallRunner) =>
    calls.completed.map(({ outcome, output: [part] }) =>
      part?.type === 'value' ? (part.value as { code: string }).code : outcome,
    );
  const rest = () => new Promise((resolve) => setImmediate(resolve));

  it('runs no call where the request allows no tools, even if the model makes one up', async () => {
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
    expect(invoker.started).toEqual([]);
  });

  it('runs the calls of a turn at once, and returns their results in order', async () => {
    invoker.suspended = true;
    const calls = chat({ a: {}, b: {} });
    const done = calls.callTools(turn('a 1', 'b 2', 'a 3'));
    await rest();
    expect(invoker.started).toEqual(['a {"n":1}', 'b {"n":2}', 'a {"n":3}']);
    [...invoker.ends.values()].reverse().forEach((end) => end());
    const { outputs, done: isDone } = await done;
    expect(outputs.map(([part]) => part)).toEqual(
      [1, 2, 3].map((n) => ({ type: 'text', text: `{"n":${n}}` })),
    );
    expect(isDone).toBe(false);
    expect(calls.completed.map(({ callId }) => callId)).toEqual([
      'call_0',
      'call_1',
      'call_2',
    ]);
  });

  it('runs destructive calls one after the other, and the others at once', async () => {
    invoker.suspended = true;
    const destroys = { annotations: { destructiveHint: true } };
    const calls = chat({ drop: destroys, wipe: destroys, look: {} });
    const requested = turn('drop 1', 'wipe 2', 'look 3', 'drop 4');
    approve(calls, requested);
    const done = calls.callTools(requested);
    await rest();
    expect(invoker.started).toEqual(['look {"n":3}', 'drop {"n":1}']);
    for (const [id, next] of [
      ['drop {"n":1}', 'wipe {"n":2}'],
      ['wipe {"n":2}', 'drop {"n":4}'],
    ]) {
      invoker.ends.get(id)!();
      await rest();
      expect(invoker.started.at(-1)).toBe(next);
    }
    for (const end of invoker.ends.values()) end();
    expect((await done).outputs).toHaveLength(4);
  });

  it('starts no further destructive call after the client disconnects', async () => {
    invoker.suspended = true;
    const calls = chat({ drop: { annotations: { destructiveHint: true } } });
    const requested = turn('drop 1', 'drop 2');
    approve(calls, requested);
    const done = calls.callTools(requested);
    await rest();
    client.abort();
    invoker.ends.get('drop {"n":1}')!();
    await expect(done).rejects.toBe(client.signal.reason);
    expect(invoker.started).toHaveLength(1);
    await expect(calls.callTools(turn('drop 3'))).rejects.toBe(
      client.signal.reason,
    );
  });

  it('aborts the wait for all calls of a turn when one of them cannot start', async () => {
    invoker.suspended = true;
    const calls = chat({ a: {}, b: {} });
    const full = new AppError('capacity_exceeded');
    invoker.throws.set('b {"n":2}', full);
    const done = calls.callTools(turn('a 1', 'b 2'));
    await expect(done).rejects.toBe(full);
    expect(invoker.aborted).toEqual(['a {"n":1}']);
    await expect(calls.callTools(turn('a 3'))).rejects.toBe(full);
  });

  it('settles only after calls that were starting have ended', async () => {
    invoker.suspended = true;
    invoker.ignoresAbort = true;
    const calls = chat({ a: {} });
    const done = calls.callTools(turn('a 1'));
    await rest();
    client.abort();
    let settled = false;
    const settling = calls.settled().then(() => (settled = true));
    await rest();
    expect(settled).toBe(false);
    invoker.ends.get('a {"n":1}')!();
    await settling;
    await expect(done).rejects.toBe(client.signal.reason);
  });

  it('runs an idempotent call once, in whichever turns it is repeated', async () => {
    const calls = chat({ set: { annotations: { idempotentHint: true } } });
    await calls.callTools(turn('set 1', 'set 1', 'set 2'));
    const { outputs } = await calls.callTools(turn('set 1'));
    expect(invoker.started).toEqual(['set {"n":1}', 'set {"n":2}']);
    expect(outputs).toEqual([[{ type: 'text', text: '{"n":1}' }]]);
    expect(calls.completed.map(({ invocation }) => invocation!.id)).toEqual([
      'inv_1',
      'inv_1',
      'inv_2',
      'inv_1',
    ]);
  });

  it('runs any other call as often as the model requests it', async () => {
    const calls = chat({ roll: {}, look: { annotations: {} } });
    await calls.callTools(turn('roll 1', 'roll 1', 'look 1', 'look 1'));
    expect(invoker.started).toHaveLength(4);
  });

  it('answers a call of an unknown tool with the names of the available ones', async () => {
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
    expect(calls.completed[0].output).toEqual([
      {
        type: 'value',
        value: {
          code: 'UNKNOWN_TOOL',
          message: 'There is no tool of this name. There is: a.',
        },
      },
    ]);
    expect(invoker.started).toEqual([]);
  });

  it('runs no more calls of one tool than a request may make', async () => {
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
    expect(invoker.started).toHaveLength(4);
    expect(JSON.stringify(calls.completed[3].output)).toContain(
      'called 2 times, and cannot be called again',
    );
  });

  it('runs no more calls in total than a request may make', async () => {
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
    const reply = (calls: ToolCallResults) => chatReply(NO_ANSWER, calls, null);

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
      invoker.outcomes = ['reported', 'failed'];
      expect((await calls.callTools(turn('a 1', 'a 2'))).done).toBe(false);
      expect((await calls.callTools(turn('a 1', 'none'))).done).toBe(false);
      const { done } = await calls.callTools(turn('a 5'));
      expect(done).toBe(true);
      expect(reply(calls).content).toBe('{"n":5}');
    });

    it('when a tool with onError fail has failed', async () => {
      invoker.outcomes = ['reported', 'failed'];
      const calls = chat({ a: {}, b: { onError: 'fail' } });
      const { done } = await calls.callTools(turn('a 1', 'b 2'));
      expect(done).toBe(true);
      expect(reply(calls)).toMatchObject({
        content: 'b failed. It broke.',
        message: null,
        tool_called: true,
        tool_name: 'a',
        tool_calls: [{ error: null }, { error: BROKEN }],
        research_summary: null,
        status: 'failed',
        error: BROKEN,
      });
    });

    it('but not if it succeeded once; the model then receives the other failures', async () => {
      invoker.outcomes = ['failed', 'reported', 'failed'];
      const calls = chat({ a: {}, b: { onError: 'fail' } });
      const { done, outputs } = await calls.callTools(
        turn('a 1', 'b 2', 'b 3'),
      );
      expect(done).toBe(false);
      const value = { code: 'TOOL_FAILED', message: 'It broke.' };
      expect(outputs[0]).toEqual([{ type: 'value', value }]);
      const answered = { ...NO_ANSWER, text: 'Without it, then.' };
      expect(chatReply(answered, calls, null)).toMatchObject({
        content: 'Without it, then.',
        tool_calls: [{ error: BROKEN }, { error: null }, { error: BROKEN }],
        status: 'completed',
        error: null,
      });
    });

    it('when a call is unfinished, and says where its run can be read', async () => {
      invoker.outcomes = ['unfinished'];
      const calls = chat({ a: direct });
      expect((await calls.callTools(turn('a 1'))).done).toBe(true);
      expect(reply(calls).content).toBe(
        'a is not finished yet and continues. Read it later at /api/v1/tool-invocations/inv_1.',
      );
    });
  });

  it('treats arguments that are not a JSON object as none', async () => {
    const calls = chat({ a: {} });
    await calls.callTools(turn('a [1]', 'a {oops', 'a '));
    expect(calls.completed.map((call) => call.arguments)).toEqual([
      null,
      null,
      {},
    ]);
  });
});
