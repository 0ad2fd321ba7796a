import fc from 'fast-check';
import { z } from 'zod';
import { loadConfig } from '../../config/load-config';
import { Guardrails } from '../../guardrails/guardrails';
import {
  addUsage,
  type ModelAnswer,
  type ModelRequest,
} from '../../llm/model.types';
import type { ModelClient } from '../../llm/model.client';
import { distinctSources } from '../../message/citation';
import type { Message } from '../../message/message';
import type { RunRecord } from '../../runs/record/run.record';
import { defineTool, type ToolOptions } from '../../tools/tool.definition';
import { ToolRegistry } from '../../tools/tool.registry';
import { namedModels } from '../../../test/support/named-models';
import { Agents } from './agents';
import { CallLimit } from '../tools/call-limit';
import { failed, reported } from '../tools/tool-call';
import type { ChatObserver } from './chat.observer';
import { NO_ANSWER } from './chat.reply';
import { type ChatEnd, ChatLoop } from './chat.loop';
import { messagesOf, type Turn } from './chat.turn';
import type { Decision } from '../tools/approvals';
import {
  readChat,
  resultField,
  writeResult,
  writeTurn,
} from '../background/chat-record.codec';
import { Toolset } from '../tools/toolset';
import type { CallWatcher, ToolCallInvoker } from '../tools/tool-call.invoker';
import { ToolCallRunner } from '../tools/tool-call.runner';

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
const agent = (name: string, handoffs: string[]) => ({
  name,
  description: '',
  instructions: `You are ${name}.`,
  model: `model-of-${name}`,
  tools: ['*'],
  hostedTools: [],
  handoffs,
});

/** What a model says in one turn: each call is `name arguments`, `name=id arguments` where its id matters. */
type Script = { text: string; calls: string[] }[];

/** The process ends here. */
class Crash extends Error {}

/** A record, as a worker that may die at any write leaves it. */
class Kept implements ChatObserver {
  readonly fields: Record<string, string> = { args: JSON.stringify(REQUEST) };
  left = Infinity;
  writes = 0;

  asked(turn: Turn, index: number): void {
    this.write(writeTurn(turn, index));
  }

  watch(_: Turn, index: number, at: number): CallWatcher {
    return {
      invocationId: `inv_${index}_${at}`,
      began: () => this.write({}),
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

/** The models and tools of one chat, which outlive the processes that carry it. */
class World {
  /** What was done, by invocation: once, however often it is asked for. */
  readonly done = new Map<string, string>();
  /** What the last model to answer was told. */
  heard: unknown = null;

  constructor(
    private readonly script: Script,
    private readonly maxTurns = 10,
  ) {}

  async carry(
    kept: Kept,
    decisions: ReadonlyMap<string, Decision> = new Map(),
  ): Promise<ChatEnd> {
    const agents = new Map(
      [agent('a', ['b']), agent('b', ['a'])].map((one) => [one.name, one]),
    );
    const config = Object.assign({}, loadConfig({}), {
      agents: { start: 'a', agents },
    });
    const registry = new ToolRegistry(config);
    const parameters = z.object({ n: z.int().optional() });
    for (const [name, more] of Object.entries(TOOLS)) {
      const options = { name, description: 'Does.', parameters, ...more };
      registry.register(defineTool(options, {}));
    }
    const { turns } = readChat(kept.fields);
    const gone = new AbortController().signal;
    const offer = new Toolset(registry, REQUEST, decisions);
    const calls = new ToolCallRunner({
      offer,
      budget: new CallLimit(config.tools, REQUEST),
      caller: { call: this.call(kept) } as unknown as ToolCallInvoker,
      guardrails: new Guardrails(config),
      context: { request: REQUEST, caller: {}, until: [gone] },
      guarded: { consulted: new Set(), signal: gone },
      decisions,
      notes: kept,
      gone,
    });
    const models = {
      run: this.speak,
      hasAnother: () => false,
    } as unknown as ModelClient;
    const parts = {
      models,
      agents: new Agents(config, namedModels(config)),
      offer,
      calls,
      input: INPUT,
      maxTurns: this.maxTurns,
      notes: kept,
      gone,
    };
    return new ChatLoop(parts, turns).run();
  }

  private call(kept: Kept): ToolCallInvoker['call'] {
    return async (asked, _, watcher) => {
      const id = watcher!.invocationId!;
      const [, turn, at] = id.split('_').map(Number);
      // What came of it is known.
      expect(kept.fields).not.toHaveProperty([resultField(turn, at)]);
      const what = `${asked.toolName} ${JSON.stringify(asked.arguments)}`;
      expect(this.done.get(id) ?? what).toBe(what);
      this.done.set(id, what);
      const invocation = { id, token: '', status: 'completed' as const };
      await watcher!.began({ ...asked, invocation });
      if (/broken|vital/.test(asked.toolName))
        return failed(asked, invocation, { message: 'It broke.' });
      const record = { status: 'completed', text: what } as RunRecord;
      return reported(asked, invocation, record);
    };
  }

  /** As any engine does: turn after turn, with the calls of each made in between. */
  private readonly speak = async (request: ModelRequest) => {
    const { model, tools, input, maxTurns } = request;
    const answer: ModelAnswer = { ...NO_ANSWER };
    let heard = [...input];
    for (let taken = 1; ; taken += 1) {
      const at = heard.filter(({ tool_calls }) => tool_calls).length;
      const { text, calls } = this.script[at] ?? { text: 'Done.', calls: [] };
      const url = `https://example.com/${at}`;
      answer.responseId = `resp_${at}`;
      answer.usage = addUsage(answer.usage, { usage: { input_tokens: 1 } });
      answer.sources = distinctSources([
        { url, title: '' },
        ...(answer.sources ?? []),
      ]);
      if (calls.length === 0 || taken === maxTurns) {
        const last = taken === maxTurns;
        this.heard = {
          model,
          tools: tools.map(({ name }) => name),
          heard: withoutIds(heard),
          last,
        };
        return { ...answer, text: text || 'Done.' };
      }
      const { responseId, usage, sources } = answer;
      const asked = calls.map((call, n) => {
        const [, name, id, args] = /^(\S+?)(?:=(\S+))? (.*)$/.exec(call)!;
        return { callId: id ?? `call_${at}_${n}`, name, arguments: args };
      });
      const { outputs, done } = await request.callTools(asked, {
        text,
        responseId,
        usage,
        sources,
      });
      if (done) return answer;
      const results = outputs.map((output) => ({ output }));
      const turn = { text, calls: asked, results } as unknown as Turn;
      heard = [...heard, ...messagesOf([turn])];
    }
  };
}

/** Ids that were made up are others in every process. */
function withoutIds(value: unknown): unknown {
  const json = JSON.stringify(value, (key, one: unknown) =>
    ['id', 'tool_call_id', 'call_id'].includes(key) ? '' : one,
  );
  return JSON.parse(json);
}

const seen = ({ reply }: ChatEnd, { heard, done }: World) => ({
  reply: withoutIds(reply),
  heard,
  done: [...done].sort(([a], [b]) => a.localeCompare(b)),
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
  const crashed = (of: Promise<unknown>) =>
    of.then(
      () => false,
      (error: unknown) => {
        if (error instanceof Crash) return true;
        throw error;
      },
    );

  it('comes to the same end, whichever write its worker died at', async () => {
    await fc.assert(
      fc.asyncProperty(
        script,
        fc.integer({ min: 1, max: 5 }),
        async (said, maxTurns) => {
          const once = new World(said, maxTurns);
          const whole = new Kept();
          const expected = seen(await once.carry(whole), once);
          for (let left = 0; left < whole.writes; left += 1) {
            const world = new World(said, maxTurns);
            const kept = new Kept();
            kept.left = left;
            expect(await crashed(world.carry(kept))).toBe(true);
            kept.left = Infinity;
            expect(seen(await world.carry(kept), world)).toEqual(expected);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('comes to the same end, however many workers died on the way', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (said) => {
        const once = new World(said);
        const expected = seen(await once.carry(new Kept()), once);
        const world = new World(said);
        const kept = new Kept();
        // So many that at least one result is kept each time.
        do kept.left = 5;
        while (await crashed(world.carry(kept)));
        expect(seen(await world.carry(kept), world)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  const waitsFor = async (said: Script) => {
    const world = new World(said);
    const kept = new Kept();
    const { reply, waits } = await world.carry(kept);
    expect(reply.status).toBe('requires_action');
    expect(reply.required_action).toEqual(waits);
    return { world, kept, waits: waits! };
  };

  it('makes no call of a turn before all that wait for a human are decided, and none twice', async () => {
    const { world, kept, waits } = await waitsFor([
      { text: '', calls: ['roll {}'] },
      { text: '', calls: ['roll {}', 'erase=x {"n":1}', 'erase=y {"n":2}'] },
    ]);
    expect([...world.done.keys()]).toEqual(['inv_0_0']);
    expect(waits.approvals).toEqual([
      { call_id: 'x', tool_name: 'erase', arguments: { n: 1 } },
      { call_id: 'y', tool_name: 'erase', arguments: { n: 2 } },
    ]);
    const decisions = new Map<string, Decision>([['x', { approve: true }]]);
    expect((await world.carry(kept, decisions)).waits).toEqual({
      approvals: [waits.approvals[1]],
      questions: [],
    });
    decisions.set('y', { approve: false, reason: 'Too late.' });
    const { reply } = await world.carry(kept, decisions);
    expect(reply.content).toBe('Done.');
    expect([...world.done.keys()]).toEqual(['inv_0_0', 'inv_1_0', 'inv_1_1']);
    expect(JSON.stringify(world.heard)).toContain(
      'The user did not approve this call. The reason: Too late.',
    );
  });

  it('gives the answer of the user to the model, which cannot ask again', async () => {
    const ask = 'ask_user=q {"question":"Which one?"}';
    const again = ask.replace('=q', '=again');
    const { world, kept, waits } = await waitsFor([
      { text: '', calls: [ask] },
      { text: '', calls: [again] },
    ]);
    expect(waits.questions).toEqual([{ call_id: 'q', question: 'Which one?' }]);
    const decisions = new Map([['q', { answer: 'The second.' }]]);
    const { reply } = await world.carry(kept, decisions);
    expect(reply.status).toBe('completed');
    const { tools, heard } = world.heard as { tools: string[]; heard: object };
    expect(tools).not.toContain('ask_user');
    expect(JSON.stringify(heard)).toContain('The second.');
    expect(JSON.stringify(heard)).toContain('UNKNOWN_TOOL');
    expect(reply.tool_called).toBe(false);
  });

  it('goes on with the agent that it was handed over to', async () => {
    const world = new World([
      { text: 'Over.', calls: ['transfer_to_b {}', 'roll {}'] },
      { text: '', calls: ['roll {}'] },
    ]);
    const { reply } = await world.carry(new Kept());
    expect(reply).toMatchObject({ agent: 'b', content: 'Done.' });
    expect(world.heard).toMatchObject({
      model: 'model-of-b',
      heard: [
        { contents: [{ text: 'You are b.' }] },
        { role: 'user' },
        { contents: [{ text: 'Over.' }], tool_calls: [{}, {}] },
        { role: 'tool', contents: [{ value: { assistant: 'b' } }] },
        { role: 'tool' },
        { tool_calls: [{}] },
        { role: 'tool' },
      ],
    });
    // Handovers are no tools, and are not counted as such.
    expect(reply.tool_calls.map(({ tool_name }) => tool_name)).toEqual([
      'roll',
      'roll',
    ]);
  });

  it('tells each call from all others of the chat, whatever ids a model gives', async () => {
    const kept = new Kept();
    const same = { text: '', calls: ['roll=1 {}', 'roll=1 {}'] };
    await new World([same, same]).carry(kept);
    const ids = readChat(kept.fields).turns.flatMap((turn) =>
      turn.calls.map(({ callId }) => callId),
    );
    expect(ids[0]).toBe('1');
    expect(new Set(ids).size).toBe(4);
  });
});
