import { z } from 'zod';
import { loadConfig } from '../../config/load-config';
import { defineTool } from '../../tools/tool-definition';
import { ToolRegistry } from '../../tools/tool-registry';
import { namedModels } from '../../../test/support/upstream/named-models';
import { Agents } from '../turns/chat-agents';
import type { ChatRequest } from '../dto/chat.dto';
import type { Turn } from '../turns/chat-turn';
import type { Decision } from './approvals';
import { Toolset } from './toolset';

const agents = new Map(
  [
    {
      name: 'a',
      handoffs: ['b'],
      agentTools: ['b'],
      tools: ['look', 'transfer_to_*', 'consult_*'],
    },
    { name: 'b', handoffs: [], agentTools: [], tools: ['*'] },
  ].map((agent) => [
    agent.name,
    {
      description: '',
      instructions: 'Do.',
      hostedTools: ['web_search'],
      ...agent,
    },
  ]),
);
const config = Object.assign({}, loadConfig({}), {
  agents: { start: 'a', agents },
});
const all = new Agents(config, namedModels(config));
const [a, b, unnamed] = [all.get('a'), all.get('b'), all.get(null)];

const result = (toolName: string, outcome: string) =>
  ({ toolName, outcome }) as Turn['results'][number];

describe(Toolset.name, () => {
  const toolset = (
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
  const names = (tools: Toolset, agent = unnamed) =>
    tools.functions(agent).map(({ name }) => name);
  const turn = (...calls: string[]) =>
    ({
      calls: calls.map((call) => {
        const [name, callId] = call.split('=');
        return { callId, name, arguments: '{"question":" "}' };
      }),
      results: [],
    }) as unknown as Turn;

  it('offers a tool that needs documents only where there are some, or it is asked for', () => {
    const offered = (request: ChatRequest, env = {}) => {
      const registry = new ToolRegistry(loadConfig(env));
      const options = { description: 'Looks.', parameters: z.object({}) };
      registry.register(
        defineTool({ ...options, name: 'look', needsDocuments: true }, {}),
      );
      return names(new Toolset(registry, request, new Map()));
    };
    const documents = [{ title: 'A', text: 'B' }];
    expect(offered({})).toEqual([]);
    expect(offered({ documents: [] })).toEqual([]);
    expect(offered({ documents })).toEqual(['look']);
    expect(offered({ tools: ['look'] })).toEqual(['look']);
    expect(offered({}, { RELAY_DOCUMENTS_DIR: __dirname })).toEqual(['look']);
  });

  it('tells a model what a tool returns, without the rules of the schema', () => {
    const registry = new ToolRegistry(config);
    const returns = z.object({ required: z.string().describe('Yes or no.') });
    const options = { description: 'Looks.', parameters: z.object({}) };
    registry.register(defineTool({ ...options, name: 'look', returns }, {}));
    const [{ description }] = new Toolset(registry, {}, new Map()).functions(
      unnamed,
    );
    expect(description).toBe(
      'Looks.\nReturns JSON of this schema: {"type":"object","properties":{"required":{"type":"string","description":"Yes or no."}}}',
    );
  });

  it('tells a model what a function of the caller returns', () => {
    const returns = { type: 'number', description: 'Degrees.' };
    const functions = [{ name: 'look', returns }];
    const [{ description }] = toolset({ functions, tools: [] }).functions(
      unnamed,
    );
    expect(description).toBe(
      'Returns JSON of this schema: {"type":"number","description":"Degrees."}',
    );
  });

  it('offers the functions of the caller, which replace a tool of the same name', () => {
    const functions = [{ name: 'look', description: 'Mine.' }];
    const tools = toolset({ functions, tools: ['look', 'clock'] });
    expect(tools.functions(unnamed).slice(1)).toEqual([
      {
        name: 'look',
        description: 'Mine.',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ]);
    expect(tools.toolNames(unnamed)).toEqual(['clock', 'look']);
    expect(tools.find(unnamed, 'look')).toBeUndefined();
    const call = { callId: 'c', name: 'look', arguments: '' };
    expect(tools.handsBack(unnamed, call)).toBe(true);
    expect(tools.handsBack(unnamed, { ...call, arguments: '[]' })).toBe(false);
    const disabled = toolset({ functions, tool_choice: 'none' });
    expect(names(disabled)).toEqual([]);
    expect(disabled.handsBack(unnamed, call)).toBe(false);
  });

  it('holds the tools and handoffs of an agent, each name once', () => {
    const everything = ['look', 'clock', 'erase', 'transfer_to_b'];
    expect(names(toolset())).toEqual(everything);
    expect(names(toolset(), a)).toEqual(['look', 'consult_b', 'transfer_to_b']);
    expect(toolset().find(a, 'erase')).toBeUndefined();
    expect(toolset().find(b, 'erase')).toBeDefined();
  });

  it('prefers a handoff to a tool of the same name', () => {
    expect(toolset().find(a, 'transfer_to_b')).toBeUndefined();
    expect(toolset().requiredAction(a, turn('transfer_to_b=1'))).toBeNull();
    expect(toolset().requiredAction(b, turn('transfer_to_b=1'))).not.toBeNull();
  });

  it('holds neither tools nor questions where the request allows no tools', () => {
    const none = toolset({ auto_tool_call: false, clarification: 'auto' });
    expect(names(none)).toEqual([]);
    expect(names(none, a)).toEqual(['transfer_to_b']);
    expect([none.hosted(a), toolset().hosted(a)]).toEqual([[], ['web_search']]);
    expect(
      none.requiredAction(unnamed, turn('erase=1', 'ask_user=2')),
    ).toBeNull();
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
    const { length } = names(toolset(request, decisions)).filter(
      (name) => name === 'ask_user',
    );
    expect(length).toBe(may ? 1 : 0);
    const asks = toolset(request, decisions).requiredAction(
      unnamed,
      turn('ask_user=2'),
    );
    expect(asks !== null).toBe(may);
  });

  it('requires decisions for calls without a decision or a result', () => {
    const requested = turn('ask_user=1', 'ask_user=2', 'erase=3', 'look=4');
    const auto: ChatRequest = { clarification: 'auto' };
    const question = 'What exactly do you want to know?';
    expect(toolset(auto).requiredAction(unnamed, requested)).toEqual({
      approvals: [
        { call_id: '3', tool_name: 'erase', arguments: { question: ' ' } },
      ],
      questions: [
        { call_id: '1', question },
        { call_id: '2', question },
      ],
    });
    const some = toolset(auto, [
      ['1', { answer: 'Yes.' }],
      ['3', { approve: false }],
    ]);
    expect(some.requiredAction(unnamed, requested)).toEqual({
      approvals: [],
      questions: [{ call_id: '2', question }],
    });
    const result = requested.results;
    result[1] = {} as Turn['results'][number];
    expect(some.requiredAction(unnamed, requested)).toBeNull();
  });

  it('replaces an agent that is no longer configured by the first one', () => {
    expect(all.get('removed')).toBe(a);
    expect(all.get(null).allows('anything')).toBe(true);
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
  ])('holds foreign text (%s) if a request has %s', (is, _, request) => {
    expect(toolset(request).hasForeignText(unnamed, [])).toBe(is);
  });

  it.each<[boolean, string, Partial<Turn>]>([
    [true, 'the result of a tool', { results: [result('look', 'reported')] }],
    [true, 'the error of a tool', { results: [result('look', 'failed')] }],
    [
      true,
      'the result of a tool that was removed',
      { results: [result('x', 'reported')] },
    ],
    [
      false,
      'the result of a built-in tool',
      { results: [result('clock', 'reported')] },
    ],
    [false, 'a refused call', { results: [result('look', 'refused')] }],
    [
      false,
      'the answer of the user',
      { results: [result('ask_user', 'told')] },
    ],
    [true, 'foreign text of an earlier turn', { foreignText: true }],
    [true, 'unknown content', { foreignText: undefined }],
  ])('holds foreign text (%s) after a turn with %s', (is, _, more) => {
    const before = { ...turn(), foreignText: false, ...more };
    expect(toolset().hasForeignText(unnamed, [before])).toBe(is);
  });

  it('holds foreign text where the endpoint may search', () => {
    expect(toolset().hasForeignText(a, [])).toBe(true);
    const none: ChatRequest = { tools: ['look'] };
    expect(toolset(none).hasForeignText(a, [])).toBe(false);
  });

  it('holds the tools that the request lists, without the excluded ones', () => {
    const some = toolset({ tools: ['look', 'web_search'] });
    expect(names(some)).toEqual(['look']);
    expect(some.hosted(a)).toEqual(['web_search']);
    expect(toolset({ tools: ['look'] }).hosted(a)).toEqual([]);
    expect(names(toolset({ tools: [] }))).toEqual([]);
    expect(names(toolset({ tools: null }))).toContain('erase');
    const registry = new ToolRegistry(config);
    registry.register(
      defineTool(
        { name: 'look', description: 'Looks.', parameters: z.object({}) },
        {},
      ),
    );
    const excluded = new Toolset(registry, { tools: ['look'] }, new Map(), [
      'look',
    ]);
    expect(names(excluded)).toEqual([]);
    expect(excluded.find(unnamed, 'look')).toBeUndefined();
  });
});
