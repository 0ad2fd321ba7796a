import fc from 'fast-check';
import { z } from 'zod';
import { loadConfig } from '../../config/load-config';
import { Guardrails } from '../../tools/guardrails/guardrails';
import {
  addUsage,
  type ModelAnswer,
  type ModelRequest,
} from '../../llm/turns/model.types';
import type { ModelClient } from '../../llm/model.client';
import { distinctSources } from '../../platform/message/citation';
import type { Message } from '../../platform/message/message';
import type { RunRecord } from '../../runs/record/run-record';
import { defineTool, type ToolOptions } from '../../tools/tool-definition';
import { ToolRegistry } from '../../tools/tool-registry';
import { namedModels } from '../../../test/support/upstream/named-models';
import { Agents } from '../turns/chat-agents';
import { CallLimit } from '../tools/call-limit';
import { failedCall, reportedCall } from '../turns/tool-call';
import type { CallWatcher, ChatObserver } from '../turns/chat-observer';
import { NO_ANSWER } from './chat-reply';
import { ChatLoop } from './chat-loop';
import type { ChatResult } from './chat-loop-parts';
import type { ChatRequest } from '../dto/chat.dto';
import { messagesOf, type Turn } from '../turns/chat-turn';
import type { Decision } from '../tools/approvals';
import {
  readChat,
  writeResult,
  writeTurn,
} from '../background/chat-record-codec';
import { resultField } from '../background/chat-fields';
import { Toolset } from '../tools/toolset';
import type { ToolCallInvoker } from '../tools/tool-call-invoker';
import { ToolCallRunner } from '../tools/tool-call-runner';

const BROKEN = {
  code: 'tool_failed',
  message: 'It broke.',
  retryable: false,
} as const;

const REQUEST = { message: 'Hello', clarification: 'auto' as const };
const INPUT: Message[] = [
  { role: 'user', contents: [{ type: 'text', text: 'Hello' }] },
];
const TOOLS: Record<string, Partial<ToolOptions>> = {
  look: { annotations: { idempotentHint: true } },
  roll: {},
  broken: {},
  vital: { onError: 'fail' },
  direct: { returnDirect: true },
  erase: { annotations: { destructiveHint: true } },
};
const agent = (
  name: string,
  handoffs: string[],
  agentTools: string[],
  tools = ['*'],
) => ({
  name,
  description: '',
  instructions: `You are ${name}.`,
  model: `model-of-${name}`,
  tools,
  hostedTools: [],
  handoffs,
  agentTools,
});
const AGENTS = [
  agent('a', ['b'], ['c', 'd']),
  agent('b', ['a'], ['c']),
  // Hands over to none while it is called.
  agent('c', ['a'], ['d']),
  agent('d', [], []),
];

/** The turns of a model: each call is `name arguments`, or `name=id arguments` where its id matters. */
type Script = { text: string; calls: string[] }[];

/** The process ends here. */
class Crash extends Error {}

/** The record of a chat whose worker dies after `left` writes. */
class StoredRecord implements ChatObserver {
  readonly fields: Record<string, string> = { args: JSON.stringify(REQUEST) };
  left = Infinity;
  writes = 0;

  turnTaken(turn: Turn, index: number): void {
    this.write(writeTurn(turn, index));
  }

  watch(_: Turn, index: number, at: number): CallWatcher {
    return {
      invocationId: `inv_${index}_${at}`,
      started: () => this.write({}),
      event: () => undefined,
    };
  }

  result(turn: Turn, index: number, at: number): void {
    this.write(writeResult(turn, index, at));
  }

  private write(fields: Record<string, string>): void {
    if (this.left-- <= 0) throw new Crash();
    this.writes += 1;
    Object.assign(this.fields, fields);
  }
}

/** The models and tools of one chat, which outlive its processes. */
class World {
  /** The calls that ran, by invocation id. */
  readonly ran = new Map<string, string>();
  /** The request of the last model that answered. */
  received: unknown = null;

  constructor(
    private readonly script: Script,
    private readonly maxTurns = 10,
    private readonly request: ChatRequest = REQUEST,
  ) {}

  async run(
    record: StoredRecord,
    decisions: ReadonlyMap<string, Decision> = new Map(),
  ): Promise<ChatResult> {
    const agents = new Map(AGENTS.map((each) => [each.name, each]));
    const config = Object.assign({}, loadConfig({}), {
      agents: { start: 'a', agents },
    });
    const registry = new ToolRegistry(config);
    const parameters = z.object({ n: z.int().optional() });
    for (const [name, more] of Object.entries(TOOLS)) {
      const options = { name, description: 'Does.', parameters, ...more };
      registry.register(defineTool(options, {}));
    }
    const { turns } = readChat(record.fields);
    const { signal } = new AbortController();
    const toolset = new Toolset(registry, this.request, decisions);
    const calls = new ToolCallRunner({
      toolset,
      limit: new CallLimit(config.tools, REQUEST),
      invoker: { invoke: this.invoke(record) } as unknown as ToolCallInvoker,
      guardrails: new Guardrails(config),
      context: { request: REQUEST, caller: {}, waitSignals: [signal] },
      guarded: { consulted: new Set(), signal },
      decisions,
      observer: record,
      signal,
    });
    const models = {
      run: this.answer,
      hasFallback: () => false,
    } as unknown as ModelClient;
    const parts = {
      models,
      agents: new Agents(config, namedModels(config)),
      toolset,
      calls,
      input: INPUT,
      maxTurns: this.maxTurns,
      observer: record,
      signal,
    };
    return new ChatLoop(parts, turns).run();
  }

  private invoke(record: StoredRecord): ToolCallInvoker['invoke'] {
    return async (call, _, watcher) => {
      const id = watcher!.invocationId!;
      const [, turn, at] = id.split('_').map(Number);
      // A call with a stored result never runs again.
      expect(record.fields).not.toHaveProperty([resultField(turn, at)]);
      const text = `${call.toolName} ${JSON.stringify(call.arguments)}`;
      expect(this.ran.get(id) ?? text).toBe(text);
      this.ran.set(id, text);
      const invocation = { id, token: '', status: 'completed' as const };
      await watcher!.started({ ...call, invocation });
      if (/broken|vital/.test(call.toolName))
        return failedCall(call, invocation, BROKEN);
      const completed = { status: 'completed', text } as RunRecord;
      return reportedCall(call, invocation, completed);
    };
  }

  /** Takes turn after turn like an engine, and runs the calls of each. */
  private readonly answer = async (request: ModelRequest) => {
    const { model, tools, input, maxTurns } = request;
    const answer: ModelAnswer = { ...NO_ANSWER };
    let messages = [...input];
    for (let turns = 1; ; turns += 1) {
      const at = messages.filter(({ tool_calls }) => tool_calls).length;
      const { text, calls } = this.script[at] ?? { text: 'Done.', calls: [] };
      const url = `https://example.com/${at}`;
      answer.responseId = `resp_${at}`;
      answer.usage = addUsage(answer.usage, { usage: { input_tokens: 1 } });
      answer.sources = distinctSources([
        { url, title: '' },
        ...(answer.sources ?? []),
      ]);
      if (calls.length === 0 || turns === maxTurns) {
        const last = turns === maxTurns;
        this.received = {
          model,
          tools: tools.map(({ name }) => name),
          messages: withoutIds(messages),
          last,
        };
        return { ...answer, text: text || 'Done.' };
      }
      const { responseId, usage, sources } = answer;
      const requested = calls.map((call, n) => {
        const [, name, id, args] = /^(\S+?)(?:=(\S+))? (.*)$/.exec(call)!;
        return { callId: id ?? `call_${at}_${n}`, name, arguments: args };
      });
      const { outputs, done } = await request.callTools(requested, {
        text,
        responseId,
        usage,
        sources,
      });
      if (done) return answer;
      const results = outputs.map((output) => ({ output }));
      const turn = { text, calls: requested, results } as unknown as Turn;
      messages = [...messages, ...messagesOf([turn])];
    }
  };
}

/** Generated ids differ in every process. */
function withoutIds(value: unknown): unknown {
  const json = JSON.stringify(value, (key, item: unknown) =>
    ['id', 'tool_call_id', 'call_id'].includes(key) ? '' : item,
  );
  return JSON.parse(json);
}

const observed = ({ reply }: ChatResult, { received, ran }: World) => ({
  reply: withoutIds(reply),
  received,
  ran: [...ran].sort(([a], [b]) => a.localeCompare(b)),
});

const calls = fc.oneof(
  fc.constantFrom(
    'look {"n":1}',
    'look {"n":2}',
    'roll=same {"n":1}',
    'roll {"n":1}',
    'roll= {}',
    'broken {}',
    'nothing {}',
    'look {oops',
    'no.name {}',
  ),
  fc.constantFrom('transfer_to_a {}', 'transfer_to_b {}'),
  fc.constantFrom('consult_c {"input":"Do."}', 'consult_d {"input":"Do."}'),
  fc.constantFrom('direct {}', 'vital {}'),
);
const script: fc.Arbitrary<Script> = fc.array(
  fc.record({
    text: fc.constantFrom('', 'Let me see.'),
    calls: fc.array(calls, { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 4 },
);

describe(ChatLoop.name, () => {
  const crashed = (run: Promise<unknown>) =>
    run.then(
      () => false,
      (error: unknown) => {
        if (error instanceof Crash) return true;
        throw error;
      },
    );

  it('has the same result, at whichever write its worker died', async () => {
    await fc.assert(
      fc.asyncProperty(
        script,
        fc.integer({ min: 1, max: 5 }),
        async (turns, maxTurns) => {
          const once = new World(turns, maxTurns);
          const whole = new StoredRecord();
          const expected = observed(await once.run(whole), once);
          for (let left = 0; left < whole.writes; left += 1) {
            const world = new World(turns, maxTurns);
            const record = new StoredRecord();
            record.left = left;
            expect(await crashed(world.run(record))).toBe(true);
            record.left = Infinity;
            expect(observed(await world.run(record), world)).toEqual(expected);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has the same result, however many workers died', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (turns) => {
        const once = new World(turns);
        const expected = observed(await once.run(new StoredRecord()), once);
        const world = new World(turns);
        const record = new StoredRecord();
        // Enough writes for at least one result each time.
        do record.left = 9;
        while (await crashed(world.run(record)));
        record.left = Infinity;
        expect(observed(await world.run(record), world)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  const waitsFor = async (turns: Script) => {
    const world = new World(turns);
    const record = new StoredRecord();
    const { reply, requiredAction } = await world.run(record);
    expect(reply.status).toBe('requires_action');
    expect(reply.required_action).toEqual(requiredAction);
    return { world, record, action: requiredAction! };
  };

  it('runs no call of a turn before all its decisions are made, and none twice', async () => {
    const { world, record, action } = await waitsFor([
      { text: '', calls: ['roll {}'] },
      { text: '', calls: ['roll {}', 'erase=x {"n":1}', 'erase=y {"n":2}'] },
    ]);
    expect([...world.ran.keys()]).toEqual(['inv_0_0']);
    expect(action.approvals).toEqual([
      { call_id: 'x', tool_name: 'erase', arguments: { n: 1 } },
      { call_id: 'y', tool_name: 'erase', arguments: { n: 2 } },
    ]);
    const decisions = new Map<string, Decision>([['x', { approve: true }]]);
    expect((await world.run(record, decisions)).requiredAction).toEqual({
      approvals: [action.approvals[1]],
      questions: [],
    });
    decisions.set('y', { approve: false, reason: 'Too late.' });
    const { reply } = await world.run(record, decisions);
    expect(reply.content).toBe('Done.');
    expect([...world.ran.keys()]).toEqual(['inv_0_0', 'inv_1_0', 'inv_1_1']);
    expect(JSON.stringify(world.received)).toContain(
      'The user did not approve this call. The reason: Too late.',
    );
  });

  it('sends the answer of the user to the model, which cannot ask again', async () => {
    const ask = 'ask_user=q {"question":"Which one?"}';
    const again = ask.replace('=q', '=again');
    const { world, record, action } = await waitsFor([
      { text: '', calls: [ask] },
      { text: '', calls: [again] },
    ]);
    expect(action.questions).toEqual([
      { call_id: 'q', question: 'Which one?' },
    ]);
    const decisions = new Map([['q', { answer: 'The second.' }]]);
    const { reply } = await world.run(record, decisions);
    expect(reply.status).toBe('completed');
    const { tools, messages } = world.received as {
      tools: string[];
      messages: object;
    };
    expect(tools).not.toContain('ask_user');
    expect(JSON.stringify(messages)).toContain('The second.');
    expect(JSON.stringify(messages)).toContain('UNKNOWN_TOOL');
    expect(reply.tool_called).toBe(false);
  });

  it('continues with the agent of a handoff', async () => {
    const world = new World([
      { text: 'Over.', calls: ['transfer_to_b {}', 'roll {}'] },
      { text: '', calls: ['roll {}'] },
    ]);
    const { reply } = await world.run(new StoredRecord());
    expect(reply).toMatchObject({ agent: 'b', content: 'Done.' });
    expect(world.received).toMatchObject({
      model: 'model-of-b',
      messages: [
        { contents: [{ text: 'You are b.' }] },
        { role: 'user' },
        { contents: [{ text: 'Over.' }], tool_calls: [{}, {}] },
        { role: 'tool', contents: [{ value: { assistant: 'b' } }] },
        { role: 'tool' },
        { tool_calls: [{}] },
        { role: 'tool' },
      ],
    });
    // Handoffs do not count as tool calls.
    expect(reply.tool_calls.map(({ tool_name }) => tool_name)).toEqual([
      'roll',
      'roll',
    ]);
  });

  it('has another agent answer a call, which sees the input alone, and keeps the conversation', async () => {
    const world = new World([
      { text: 'Ask.', calls: ['consult_c=ask {"input":"Which?"}'] },
    ]);
    const record = new StoredRecord();
    const { reply } = await world.run(record);
    // The agent that is called plays the script too, and cannot call itself.
    const { turns } = readChat(record.fields);
    expect(
      turns.map(({ agent, within, text }) => [agent, within, text]),
    ).toEqual([
      ['a', undefined, 'Ask.'],
      ['c', { turn: 0, call: 0 }, 'Ask.'],
      ['c', { turn: 0, call: 0 }, 'Done.'],
    ]);
    expect(reply).toMatchObject({
      agent: 'a',
      content: 'Done.',
      // Two turns of each.
      usage: { input_tokens: 4 },
    });
    expect(JSON.stringify(world.received)).toContain('Done.');
    expect(turns[0].results[0]).toMatchObject({
      outcome: 'reported',
      output: [{ type: 'text', text: 'Done.' }],
      invocation: null,
    });
  });

  it('asks for a decision within the call of another agent, and continues there', async () => {
    const world = new World([
      { text: '', calls: ['consult_c {"input":"Do."}', 'erase=x {}'] },
    ]);
    const record = new StoredRecord();
    const decisions = new Map<string, Decision>([['x', { approve: true }]]);
    const { requiredAction } = await world.run(record, decisions);
    expect(requiredAction?.approvals).toMatchObject([{ tool_name: 'erase' }]);
    const [inner] = requiredAction!.approvals;
    expect(inner.call_id).not.toBe('x');
    decisions.set(inner.call_id, { approve: true });
    const { reply } = await world.run(record, decisions);
    expect(reply).toMatchObject({ status: 'completed', agent: 'a' });
    expect([...world.ran.keys()].sort()).toEqual(['inv_0_1', 'inv_1_1']);
  });

  it('takes no more turns than the limit, with those of the agents that are called', async () => {
    const ask = { text: '', calls: ['consult_c {"input":"Do."}'] };
    for (const most of [1, 2, 3, 4, 5, 6]) {
      const world = new World([ask, ask, ask, ask], most);
      const { reply } = await world.run(new StoredRecord());
      expect(reply.usage!.input_tokens).toBeLessThanOrEqual(most);
    }
  });

  describe('with functions of the caller', () => {
    const request = { ...REQUEST, functions: [{ name: 'mine' }] };
    const worldOf = (...turns: Script) => new World(turns, 10, request);

    it('hands their calls back after its own tools of the turn ran, at whichever write its worker died', async () => {
      const turns = [
        { text: 'First.', calls: ['roll=a {}'] },
        {
          text: 'Both.',
          calls: ['mine=m {"x":1}', 'roll=r {"n":1}', 'mine=n {}'],
        },
      ];
      const whole = new StoredRecord();
      const once = worldOf(...turns);
      const result = await once.run(whole);
      const { reply, requiredAction } = result;
      expect(requiredAction).toBeNull();
      const called = (id: string, name: string, args: object = {}) => ({
        type: 'function',
        id,
        function: { name, arguments: args },
      });
      const contents = [{ type: 'text', text: 'Both.' }];
      expect(reply).toMatchObject({
        status: 'completed',
        content: 'Both.',
        usage: { input_tokens: 2 },
        tool_calls: [{ call_id: 'a' }, { call_id: 'r' }],
      });
      expect(reply.message).toEqual({
        role: 'assistant',
        contents,
        tool_calls: [called('m', 'mine', { x: 1 }), called('n', 'mine')],
      });
      expect(reply.continuation).toMatchObject([
        { role: 'assistant', tool_calls: [called('a', 'roll')] },
        { role: 'tool', tool_call_id: 'a' },
        {
          role: 'assistant',
          contents,
          tool_calls: [
            called('m', 'mine', { x: 1 }),
            called('r', 'roll', { n: 1 }),
            called('n', 'mine'),
          ],
        },
        { role: 'tool', tool_call_id: 'r' },
      ]);
      expect([...once.ran.keys()]).toEqual(['inv_0_0', 'inv_1_1']);
      for (let left = 0; left < whole.writes; left += 1) {
        const world = worldOf(...turns);
        const record = new StoredRecord();
        record.left = left;
        expect(await crashed(world.run(record))).toBe(true);
        record.left = Infinity;
        const again = await world.run(record);
        expect(observed(again, world)).toEqual(observed(result, once));
      }
    });

    it('lets the model correct arguments that are not an object', async () => {
      const world = worldOf({ text: '', calls: ['mine {oops'] });
      const { reply } = await world.run(new StoredRecord());
      expect(reply.content).toBe('Done.');
      expect(reply.continuation).toBeUndefined();
      expect(JSON.stringify(world.received)).toContain('INVALID_ARGUMENTS');
    });

    it('waits for a decision about its own call before it hands any back', async () => {
      const world = worldOf({ text: '', calls: ['mine=m {}', 'erase=x {}'] });
      const record = new StoredRecord();
      const { requiredAction } = await world.run(record);
      expect(requiredAction?.approvals).toMatchObject([{ call_id: 'x' }]);
      const decisions = new Map([['x', { approve: true } as Decision]]);
      const { reply } = await world.run(record, decisions);
      expect(reply.message?.tool_calls).toMatchObject([{ id: 'm' }]);
      expect(reply.continuation).toHaveLength(2);
    });
  });

  it('gives every call of the chat a unique id, whatever ids the model sends', async () => {
    const record = new StoredRecord();
    const same = { text: '', calls: ['roll=1 {}', 'roll=1 {}'] };
    await new World([same, same]).run(record);
    const ids = readChat(record.fields).turns.flatMap((turn) =>
      turn.calls.map(({ callId }) => callId),
    );
    expect(ids[0]).toBe('1');
    expect(new Set(ids).size).toBe(4);
  });
});
