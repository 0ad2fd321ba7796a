import { z } from 'zod';
import { loadConfig } from '../../config/load-config';
import { defineTool } from '../../tools/tool.definition';
import { ToolRegistry } from '../../tools/tool.registry';
import { namedModels } from '../../../test/support/upstream/named-models';
import { Agents } from '../loop/agents';
import type { ChatRequest } from '../dto/chat.dto';
import type { Turn } from '../loop/chat.turn';
import type { Decision } from './approvals';
import { Toolset } from './toolset';

const agents = new Map(
  [
    { name: 'a', handoffs: ['b'], tools: ['look', 'transfer_to_*'] },
    { name: 'b', handoffs: [], tools: ['*'] },
  ].map((one) => [
    one.name,
    {
      description: '',
      instructions: 'Do.',
      hostedTools: ['web_search'],
      ...one,
    },
  ]),
);
const config = Object.assign({}, loadConfig({}), {
  agents: { start: 'a', agents },
});
const all = new Agents(config, namedModels(config));
const [a, b, anyone] = [all.get('a'), all.get('b'), all.get(null)];

const result = (toolName: string, outcome: string) =>
  ({ toolName, outcome }) as Turn['results'][number];

describe(Toolset.name, () => {
  const offer = (
    request: ChatRequest = {},
    decisions: [string, Decision][] = [],
  ) => {
    const registry = new ToolRegistry(config);
    const options = { description: 'Does.', parameters: z.object({}) };
    const destructiveHint = true;
    for (const [name, annotations] of [
      ['look', {}],
      ['clock', { openWorldHint: false }],
      ['erase', { destructiveHint }],
      ['transfer_to_b', { destructiveHint }],
    ] as const)
      registry.register(defineTool({ ...options, name, annotations }, {}));
    return new Toolset(registry, request, new Map(decisions));
  };
  const names = (of: Toolset, agent = anyone) =>
    of.functions(agent).map(({ name }) => name);
  const turn = (...calls: string[]) =>
    ({
      calls: calls.map((call) => {
        const [name, callId] = call.split('=');
        return { callId, name, arguments: '{"question":" "}' };
      }),
      results: [],
    }) as unknown as Turn;

  it('is what an agent uses, and to whom it may hand over, each name once', () => {
    const everything = ['look', 'clock', 'erase', 'transfer_to_b'];
    expect(names(offer())).toEqual(everything);
    expect(names(offer(), a)).toEqual(['look', 'transfer_to_b']);
    expect(offer().find(a, 'erase')).toBeUndefined();
    expect(offer().find(b, 'erase')).toBeDefined();
  });

  it('takes a call that hands over for nothing else, whatever tool has its name', () => {
    expect(offer().find(a, 'transfer_to_b')).toBeUndefined();
    expect(offer().awaited(a, turn('transfer_to_b=1'))).toBeNull();
    expect(offer().awaited(b, turn('transfer_to_b=1'))).not.toBeNull();
  });

  it('is no tool where none is wanted, nor the user', () => {
    const none = offer({ auto_tool_call: false, clarification: 'auto' });
    expect(names(none)).toEqual([]);
    expect(names(none, a)).toEqual(['transfer_to_b']);
    expect([none.hosted(a), offer().hosted(a)]).toEqual([[], ['web_search']]);
    expect(none.awaited(anyone, turn('erase=1', 'ask_user=2'))).toBeNull();
  });

  it.each<[string, ChatRequest, [string, Decision][], boolean]>([
    ['by default', {}, [], false],
    ['never', { clarification: 'never' }, [], false],
    ['auto', { clarification: 'auto' }, [], true],
    [
      'auto, and something was approved',
      { clarification: 'auto' },
      [['1', { approve: true }]],
      true,
    ],
    [
      'auto, and the user has answered',
      { clarification: 'auto' },
      [['1', { answer: 'Yes.' }]],
      false,
    ],
  ])('lets the model ask the user (%s)', (_, request, decisions, may) => {
    const { length } = names(offer(request, decisions)).filter(
      (name) => name === 'ask_user',
    );
    expect(length).toBe(may ? 1 : 0);
    const asks = offer(request, decisions).awaited(anyone, turn('ask_user=2'));
    expect(asks !== null).toBe(may);
  });

  it('waits for what is undecided and not done, question by question', () => {
    const asked = turn('ask_user=1', 'ask_user=2', 'erase=3', 'look=4');
    const auto: ChatRequest = { clarification: 'auto' };
    const question = 'What exactly do you want to know?';
    expect(offer(auto).awaited(anyone, asked)).toEqual({
      approvals: [
        { call_id: '3', tool_name: 'erase', arguments: { question: ' ' } },
      ],
      questions: [
        { call_id: '1', question },
        { call_id: '2', question },
      ],
    });
    const some = offer(auto, [
      ['1', { answer: 'Yes.' }],
      ['3', { approve: false }],
    ]);
    expect(some.awaited(anyone, asked)).toEqual({
      approvals: [],
      questions: [{ call_id: '2', question }],
    });
    const result = asked.results;
    result[1] = {} as Turn['results'][number];
    expect(some.awaited(anyone, asked)).toBeNull();
  });

  it('goes on where an agent is no longer configured, with the first one', () => {
    expect(all.get('gone')).toBe(a);
    expect(all.get(null).uses('anything')).toBe(true);
  });

  it.each<[boolean, string, ChatRequest]>([
    [false, 'its message', { message: 'a' }],
    [
      false,
      'the turns of both',
      { messages: [{ role: 'assistant', contents: [] }] },
    ],
    [true, 'documents', { documents: [{ title: 'a', text: 'b' }] }],
    [true, 'context', { context: ['a'] }],
    [true, 'results of tools', { messages: [{ role: 'tool', contents: [] }] }],
  ])('holds foreign text (%s) where a request brings %s', (is, _, request) => {
    expect(offer(request).hasForeignText(anyone, [])).toBe(is);
  });

  it.each<[boolean, string, Partial<Turn>]>([
    [true, 'what a tool gave', { results: [result('look', 'reported')] }],
    [true, 'why a tool failed', { results: [result('look', 'failed')] }],
    [
      true,
      'what a tool gave that is gone',
      { results: [result('x', 'reported')] },
    ],
    [
      false,
      'what a tool of its own gave',
      { results: [result('clock', 'reported')] },
    ],
    [false, 'why a call was refused', { results: [result('look', 'refused')] }],
    [false, 'what the user said', { results: [result('ask_user', 'told')] }],
    [true, 'that of an earlier turn', { foreignText: true }],
    [true, 'nobody knows what', { foreignText: undefined }],
  ])('holds foreign text (%s) once a turn brought %s', (is, _, more) => {
    const before = { ...turn(), foreignText: false, ...more };
    expect(offer().hasForeignText(anyone, [before])).toBe(is);
  });

  it('holds foreign text where the endpoint itself may search', () => {
    expect(offer().hasForeignText(a, [])).toBe(true);
    const none: ChatRequest = { tools: ['look'] };
    expect(offer(none).hasForeignText(a, [])).toBe(false);
  });

  it('has what the request lists, and nothing that the chat is not to have', () => {
    const some = offer({ tools: ['look', 'web_search'] });
    expect(names(some)).toEqual(['look']);
    expect(some.hosted(a)).toEqual(['web_search']);
    expect(offer({ tools: ['look'] }).hosted(a)).toEqual([]);
    expect(names(offer({ tools: [] }))).toEqual([]);
    expect(names(offer({ tools: null }))).toContain('erase');
    const registry = new ToolRegistry(config);
    registry.register(
      defineTool(
        { name: 'look', description: 'Looks.', parameters: z.object({}) },
        {},
      ),
    );
    const without = new Toolset(registry, { tools: ['look'] }, new Map(), [
      'look',
    ]);
    expect(names(without)).toEqual([]);
    expect(without.find(anyone, 'look')).toBeUndefined();
  });
});
