import fc from 'fast-check';
import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import { json, text, toolCall } from '../../../test/support/message.arbitrary';
import { toInputItems } from './responses-input';
import { fromOutputItems } from './responses-output';

const items = (...list: object[]) => list as ResponseOutputItem[];
const textItem = (words: string, more: object = {}) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: words, annotations: [] }],
  ...more,
});
const call = (args: unknown, more: object = {}) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'f',
  arguments: args,
  ...more,
});

describe(fromOutputItems.name, () => {
  it('reads the final messages as the answer, and all before them as thinking', () => {
    const summary = [
      { type: 'summary_text', text: 'First' },
      { type: 'summary_text', text: 'second' },
    ];
    expect(
      fromOutputItems(
        items(
          { type: 'reasoning', id: 'rs_1', summary },
          textItem('Let me see', { phase: 'commentary', id: 'msg_0' }),
          { type: 'web_search_call', id: 'ws_1', status: 'completed' },
          textItem('one', { phase: 'final_answer' }),
          textItem('two', { id: 'msg_2' }),
        ),
      ),
    ).toEqual({
      id: 'msg_1',
      role: 'assistant',
      contents: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      thinking: 'First\n\nsecond\n\nLet me see',
    });
  });

  it('reads commentary as the answer only if there is nothing else', () => {
    const aside = textItem('Let me see', { phase: 'commentary' });
    expect(fromOutputItems(items(aside)).contents).toEqual([
      { type: 'text', text: 'Let me see' },
    ]);
    expect(fromOutputItems(items(aside, call('{}')))).toMatchObject({
      contents: [],
      thinking: 'Let me see',
    });
  });

  it('reads a refusal as text', () => {
    const content = [{ type: 'refusal', refusal: 'I cannot.' }];
    expect(fromOutputItems(items(textItem('', { content }))).contents).toEqual([
      { type: 'text', text: 'I cannot.' },
    ]);
  });

  it('reads reasoning, parts and calls in the forms of bridges to other models', () => {
    expect(
      fromOutputItems(
        items(
          { type: 'reasoning', content: [{ type: 'output_text', text: 'hm' }] },
          textItem('', { content: [{ type: 'text', text: 'Well' }] }),
          call({ a: 1 }, { call_id: '' }),
        ),
      ),
    ).toMatchObject({
      contents: [{ type: 'text', text: 'Well' }],
      thinking: 'hm',
      tool_calls: [{ id: 'fc_1', function: { arguments: { a: 1 } } }],
    });
  });

  it.each(['{"a":', '[]', 'null', '"{}"'])(
    'keeps a call with the arguments %s as written',
    (args) => {
      const message = fromOutputItems(items(call(args)));
      expect(message).toEqual({
        role: 'assistant',
        contents: [
          {
            type: 'function',
            function: { id: 'call_1', name: 'f', arguments: args },
          },
        ],
      });
    },
  );

  it('reads the calls of input items back', () => {
    fc.assert(
      fc.property(fc.array(toolCall, { minLength: 1 }), text, (calls, name) => {
        const asked = toInputItems([
          {
            role: 'assistant',
            contents: [],
            tool_calls: calls,
            thinking: name,
          },
        ]);
        expect(fromOutputItems(asked as ResponseOutputItem[])).toEqual({
          role: 'assistant',
          contents: [],
          tool_calls: calls,
        });
      }),
    );
  });

  it('never throws, for any values of the fields', () => {
    const type = fc.constantFrom('message', 'function_call', 'reasoning');
    const fields = ['id', 'content', 'summary', 'phase', 'name', 'arguments'];
    const item = fc
      .tuple(type, fc.array(json, { minLength: 6, maxLength: 6 }))
      .map(([named, values]) => ({
        type: named,
        ...Object.fromEntries(fields.map((field, at) => [field, values[at]])),
      }));
    const output = fc.oneof(json, fc.array(fc.oneof(item, json)));
    fc.assert(
      fc.property(output, (anything) => {
        const message = fromOutputItems(anything as ResponseOutputItem[]);
        expect(message.role).toBe('assistant');
      }),
    );
  });
});
