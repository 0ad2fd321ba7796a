import { ORDINARY } from '../../../test/support/upstream/prompted-answers';
import { readStrayText } from './stray-text';

const tools = [
  {
    name: 'deep_research',
    description: 'Researches.',
    parameters: {
      type: 'object',
      properties: {
        q: { type: 'string' },
        depth: { type: ['integer', 'null'] },
      },
      required: ['q', 'depth'],
      additionalProperties: false,
    },
  },
  {
    name: 'get_current_datetime',
    description: 'Tells the time.',
    parameters: {
      type: 'object',
      properties: { time_zone: { type: ['string', 'null'] } },
      required: ['time_zone'],
      additionalProperties: false,
    },
  },
];
const KIMCHI = { name: 'deep_research', args: { q: 'kimchi' } };
const RICE = { name: 'deep_research', args: { q: 'rice' } };
const NOW = { name: 'get_current_datetime', args: {} };

/** What was shown to the user after each part, and what was read at the end. */
const read = (
  parts: readonly string[],
  inputs: readonly string[] = [],
  offered = tools,
) => {
  let [shown, thinking] = ['', ''];
  const shownAfter: string[] = [];
  const reader = readStrayText(offered, inputs, {
    emitText: (text) => (shown += text),
    emitThinking: (text) => (thinking += text),
  });
  for (const part of parts) {
    reader.push(part);
    shownAfter.push(shown);
  }
  const { text, calls } = reader.end();
  const made = calls.map(({ name, arguments: args }) => ({
    name,
    args: JSON.parse(args) as object,
  }));
  return { shown, shownAfter, thinking, text, calls: made };
};
const inPieces = (answer: string) => answer.split('');

const CALLING: [about: string, answer: string, calls: object[]][] = [
  ['JSON', '{"name": "deep_research", "arguments": {"q": "kimchi"}}', [KIMCHI]],
  [
    'JSON in a fence',
    '```json\n{"name": "deep_research", "parameters": {"q": "kimchi"}}\n```',
    [KIMCHI],
  ],
  ['the tool', '{"tool": "deep_research", "input": {"q": "kimchi"}}', [KIMCHI]],
  [
    'the tool with its arguments beside it',
    '{"tool": "deep_research", "q": "kimchi"}',
    [KIMCHI],
  ],
  [
    'an action',
    '{"action": "deep_research", "action_input": {"q": "kimchi"}}',
    [KIMCHI],
  ],
  [
    'an action with a thought',
    '{"thought": "I look.", "action": "deep_research", "action_input": "{\\"q\\": \\"kimchi\\"}"}',
    [KIMCHI],
  ],
  [
    'an action without input',
    '{"action": "get_current_datetime", "action_input": ""}',
    [NOW],
  ],
  [
    'a use of a tool',
    '{"type": "tool_use", "id": "t1", "name": "deep_research", "input": {"q": "kimchi"}}',
    [KIMCHI],
  ],
  [
    'uses of tools by their namespace',
    '{"tool_uses": [{"recipient_name": "functions.deep_research", "parameters": {"q": "kimchi"}}, {"recipient_name": "functions.get_current_datetime", "parameters": {}}]}',
    [KIMCHI, NOW],
  ],
  ['the name as key', '{"deep_research": {"q": "kimchi"}}', [KIMCHI]],
  [
    'JSON on two lines',
    '{"tool": "deep_research", "args": {"q": "kimchi"}}\n{"tool": "deep_research", "args": {"q": "rice"}}',
    [KIMCHI, RICE],
  ],
  [
    'calls of functions in markup',
    '<function_calls>\n<invoke name="deep_research">\n<parameter name="q">kimchi</parameter>\n<parameter name="depth">2</parameter>\n</invoke>\n<invoke name="get_current_datetime">\n</invoke>\n</function_calls>',
    [{ ...KIMCHI, args: { q: 'kimchi', depth: 2 } }, NOW],
  ],
  [
    'markup with a namespace',
    '<x:function_calls><x:invoke name="deep_research"><x:parameter name="q">kimchi</x:parameter></x:invoke></x:function_calls>',
    [KIMCHI],
  ],
  [
    'markup around JSON',
    '<function_call>{"name": "deep_research", "arguments": {"q": "kimchi"}}</function_call>',
    [KIMCHI],
  ],
  [
    'a use of a tool in markup',
    '<tool_use><name>deep_research</name><arguments>{"q": "kimchi"}</arguments></tool_use>',
    [KIMCHI],
  ],
  [
    'keys and values in markup',
    '<tool_call>deep_research\n<arg_key>q</arg_key>\n<arg_value>kimchi</arg_value>\n</tool_call>',
    [KIMCHI],
  ],
  [
    'the name as tag',
    '<deep_research>\n<q>kimchi</q>\n</deep_research>',
    [KIMCHI],
  ],
  [
    'the function as tag',
    '<function=deep_research><parameter=q>kimchi</parameter></function>',
    [KIMCHI],
  ],
  [
    'JSON between marks',
    'I look it up.\n<tool_call>\n{"name": "deep_research", "arguments": {"q": "kimchi"}}\n</tool_call>',
    [KIMCHI],
  ],
  [
    'JSON between marks that are not known',
    '<|action_start|><|plugin|>{"name": "deep_research", "parameters": {"q": "kimchi"}}<|action_end|>',
    [KIMCHI],
  ],
  ['Python', 'deep_research(q="kimchi")', [KIMCHI]],
  [
    'a list in Python',
    '[deep_research(q="kimchi", depth=None)]',
    [{ ...KIMCHI, args: { q: 'kimchi', depth: null } }],
  ],
  [
    'Python between marks',
    '<|tool_call_start|>[deep_research(q="kimchi")]<|tool_call_end|>',
    [KIMCHI],
  ],
  [
    'a thought and an action',
    'Thought: I have to look it up.\nAction: deep_research\nAction Input: {"q": "kimchi"}',
    [KIMCHI],
  ],
  [
    'an action with an invented observation',
    'Action: deep_research\nAction Input: {"q": "kimchi"}\nObservation: Kimchi is old.\nFinal Answer: It is old.',
    [KIMCHI],
  ],
  [
    'an action with a text as input',
    'Thought: Hm.\nAction: deep_research\nAction Input: "kimchi"',
    [KIMCHI],
  ],
  [
    'labels in bold',
    '**Tool:** `deep_research`\n**Arguments:**\n```json\n{"q": "kimchi"}\n```',
    [KIMCHI],
  ],
  [
    'a call after thinking',
    '<think>I need it.</think>\n\n{"tool": "deep_research", "input": {"q": "kimchi"}}',
    [KIMCHI],
  ],
];

const SHOWN: [about: string, answer: string][] = [
  ...ORDINARY.filter(([, answer]) => !/<\/?think/.test(answer)),
  [
    'JSON that the user asked to see, with a text before it',
    'This is the request:\n\n```json\n{"name": "deep_research", "arguments": {"q": "kimchi"}}\n```',
  ],
  [
    'JSON with a text after it',
    '{"name": "deep_research", "arguments": {"q": "kimchi"}}\n\nThis is how one calls it.',
  ],
  ['JSON of another tool', '{"tool": "hammer", "input": {"q": "kimchi"}}'],
  [
    'JSON without what the tool requires',
    '{"tool": "deep_research", "input": {}}',
  ],
  [
    'JSON of other types',
    '{"tool": "deep_research", "input": {"q": ["kimchi"]}}',
  ],
  [
    'JSON with more than the tool takes',
    '{"tool": "deep_research", "input": {"q": "kimchi", "color": "red"}}',
  ],
  ['JSON that is cut off', '{"tool": "deep_research", "input": {"q": "kim'],
  [
    'a record with the name of a tool',
    '{"tool": "deep_research", "calls": 3, "errors": {"q": 1}}',
  ],
  ['markup that is cut off', '<deep_research><q>kim'],
  [
    'markup with a text after it',
    '<deep_research><q>kimchi</q></deep_research> is how.',
  ],
  ['a page', '<!DOCTYPE html>\n<html><body><p>deep_research</p></body></html>'],
  ['a label', 'Note: deep_research is a tool.\nUse: it helps.'],
  [
    'a thought without an action',
    'Thought: I know it.\nFinal Answer: It is old.',
  ],
  ['an action that is none', 'Action: none\nFinal Answer: It is old.'],
  [
    'an action in prose',
    'Action: deep_research\nThat is the name of the tool.',
  ],
  [
    'a tag in backticks',
    'The tag `<think>` begins what a model thinks, `</think>` ends it.',
  ],
  [
    'a sample with a tag',
    'So:\n```xml\n<think>\nHm.\n</think>\n```\nThat is it.',
  ],
];

describe(readStrayText.name, () => {
  it.each(CALLING)(
    'reads %s as calls, and shows nothing of them',
    (_, answer, calls) => {
      for (const parts of [[answer], inPieces(answer)]) {
        const found = read(parts);
        expect(found.calls).toEqual(calls);
        expect(found.shown).toBe(found.text);
        expect(found.shown).not.toMatch(/deep_research|kimchi|Thought/);
      }
    },
  );

  it.each(SHOWN)('shows %s', (_, answer) => {
    for (const parts of [[answer], inPieces(answer)]) {
      const found = read(parts);
      expect(found.calls).toEqual([]);
      expect(found.shown).toBe(answer.trim());
      expect(found.thinking).toBe('');
    }
  });

  it.each(CALLING)('shows %s that is a quotation', (_, answer) => {
    const found = read([answer], [`Please repeat: ${answer}`]);
    expect(found.calls).toEqual([]);
  });

  it.each(CALLING)('shows %s of tools that are not offered', (_, answer) => {
    const others = tools.map((tool) => ({ ...tool, name: `${tool.name}_2` }));
    expect(read([answer], [], others).calls).toEqual([]);
  });

  it('shows prose as it arrives', () => {
    const { shownAfter } = read(['Kim', 'chi is', ' old.\n', 'It is.']);
    expect(shownAfter).toEqual([
      'Kim',
      'Kimchi is',
      'Kimchi is old.',
      'Kimchi is old.\nIt is.',
    ]);
  });

  it.each(['{"a": "', '<p>', '```js\n', 'Note: ', 'Thought: '])(
    'shows a long text after %j before its end',
    (start) => {
      const { shownAfter } = read([start, ...Array(100).fill('so it is and ')]);
      const isJson = start.startsWith('{');
      expect(shownAfter.at(-1) === '').toBe(isJson);
    },
  );

  it.each([
    ['at the start', '<think>Hm.\nSo?</think>\n\nIt is.', 'It is.'],
    ['with its start in the prompt', 'Hm.\nSo?</think>\n\nIt is.', 'It is.'],
    ['between texts', 'One.\n<think>Hm.\nSo?</think>\nTwo.', 'One.\n\nTwo.'],
  ])('takes thinking out %s, whatever the deltas', (_, answer, text) => {
    for (const offered of [tools, []])
      expect(read([answer], [], offered)).toMatchObject({
        text,
        shown: text,
        thinking: 'Hm.\nSo?',
      });
    const streamed = read(inPieces(answer.replace(/^Hm/, '<think>Hm')));
    expect(streamed).toMatchObject({ text, thinking: 'Hm.\nSo?' });
  });

  it('shows no schema of a tool, or of its result', () => {
    const returns =
      '{"type":"object","properties":{"report":{"type":"string"},"sources":{"type":"array","items":{"type":"string"}}}}';
    const [first, ...others] = tools;
    const description = `Researches.\nReturns JSON of this schema: ${returns}`;
    const offered = [{ ...first, description }, ...others];
    for (const echo of [returns, JSON.stringify(first.parameters, null, 2)])
      for (const parts of [[echo], inPieces(echo)])
        expect(read(parts, [], offered)).toMatchObject({
          shown: '',
          text: '',
          calls: [],
        });
    const other = '{"type":"object","properties":{"color":{"type":"string"}}}';
    expect(read([other], [], offered).shown).toBe(other);
  });

  it('shows JSON as it arrives where no tool is offered', () => {
    const { shownAfter } = read(['{"a": ', '[1, ', '2]}'], [], []);
    expect(shownAfter[1]).toBe('{"a": [1,');
  });
});
