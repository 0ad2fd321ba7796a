import { z } from 'zod';
import { loadConfig } from '../config/load-config';
import { defineTool } from '../tools/tool.definition';
import { ToolRegistry } from '../tools/tool.registry';
import { namedModels } from '../../test/support/named-models';
import { Agents } from './agents';
import type { ChatRequest } from './chat.dto';
import type { Turn } from './chat.turn';
import type { Decision } from './human';
import { Offer } from './offer';

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

describe(Offer.name, () => {
  const offer = (
    request: ChatRequest = {},
    decisions: [string, Decision][] = [],
  ) => {
    const registry = new ToolRegistry(config);
    const options = { description: 'Does.', parameters: z.object({}) };
    const destructiveHint = true;
    for (const [name, annotations] of [
      ['look', {}],
      ['erase', { destructiveHint }],
      ['transfer_to_b', { destructiveHint }],
    ] as const)
      registry.register(defineTool({ ...options, name, annotations }, {}));
    return new Offer(registry, request, new Map(decisions));
  };
  const names = (of: Offer, agent = anyone) =>
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
    expect(names(offer())).toEqual(['look', 'erase', 'transfer_to_b']);
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
});
