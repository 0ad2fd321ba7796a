import fc from 'fast-check';
import type { ChatCompletionMessage } from 'openai/resources/chat/completions';
import { json, text, toolCall } from '../../../test/support/message.arbitrary';
import type { Message, Part } from '../../platform/message/message';
import {
  fromCompletionMessage,
  toCompletionMessages,
  toCompletionTools,
} from './completions-messages';

const words = (value: string): Part => ({ type: 'text', text: value });
const image = (url: string): Part => ({ type: 'image', image: { url } });
const answer = (fields: object) =>
  fromCompletionMessage({
    role: 'assistant',
    content: null,
    refusal: null,
    ...fields,
  } as ChatCompletionMessage);

describe(toCompletionMessages.name, () => {
  it('sends texts of every role, but no thinking', () => {
    const messages: Message[] = [
      { role: 'system', contents: [words('Be brief.')] },
      { role: 'user', contents: [words('one'), words('two')], name: 'Kim' },
      { role: 'assistant', contents: [words('three')], thinking: 'secret' },
    ];
    expect(toCompletionMessages(messages)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one\ntwo' },
      { role: 'assistant', content: 'three' },
    ]);
  });

  it('sends the images of a user at their positions', () => {
    const data = { data: 'AAAA', mime_type: 'image/gif' };
    const contents: Part[] = [
      image('https://example.com/a.png'),
      words('What is this?'),
      { type: 'image', image: data },
    ];
    expect(toCompletionMessages([{ role: 'user', contents }])).toEqual([
      {
        role: 'user',
        content: [
          {
            type: 'image_url',
            image_url: { url: 'https://example.com/a.png' },
          },
          { type: 'text', text: 'What is this?' },
          {
            type: 'image_url',
            image_url: { url: 'data:image/gif;base64,AAAA' },
          },
        ],
      },
    ]);
  });

  it('sends the images of tools after all results of the turn, and names their calls', () => {
    const result = (tool_call_id: string, contents: Part[]): Message => ({
      role: 'tool',
      tool_call_id,
      contents,
    });
    const params = toCompletionMessages([
      result('a', [words('A map'), image('https://example.com/a.png')]),
      result('b', [{ type: 'value', value: { celsius: 3 } }]),
      { role: 'user', contents: [words('Thanks')] },
      result('c', [image('https://example.com/c.png')]),
    ]);
    const shown = (id: string) => [
      {
        type: 'text',
        text: `Not from the user: images in the result of the tool call ${id}.`,
      },
      {
        type: 'image_url',
        image_url: { url: `https://example.com/${id}.png` },
      },
    ];
    expect(params).toEqual([
      {
        role: 'tool',
        tool_call_id: 'a',
        content: 'A map\nIts images follow the results.',
      },
      { role: 'tool', tool_call_id: 'b', content: '{"celsius":3}' },
      { role: 'user', content: shown('a') },
      { role: 'user', content: 'Thanks' },
      {
        role: 'tool',
        tool_call_id: 'c',
        content: 'Its images follow the results.',
      },
      { role: 'user', content: shown('c') },
    ]);
  });

  it('places nothing between a call and the results of its turn', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const results = fc.array(fc.tuple(id, fc.boolean()), { minLength: 1 });
    fc.assert(
      fc.property(results, (list) => {
        const roles = toCompletionMessages(
          list.map(([tool_call_id, withImage]) => ({
            role: 'tool',
            tool_call_id,
            contents: withImage ? [image('https://example.com')] : [],
          })),
        ).map(({ role }) => role);
        expect(roles.slice(0, list.length)).toEqual(list.map(() => 'tool'));
      }),
    );
  });
});

describe(fromCompletionMessage.name, () => {
  it('reads back the message of an assistant', () => {
    const turn = fc.record({
      contents: fc.array(text.filter(Boolean), { maxLength: 1 }),
      calls: fc.array(toolCall, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(turn, ({ contents, calls }) => {
        const message: Message = {
          role: 'assistant',
          contents: contents.map(words),
          ...(calls.length > 0 && { tool_calls: calls }),
        };
        const [params] = toCompletionMessages([message]);
        expect(answer(params)).toEqual(message);
      }),
    );
  });

  it('reads a refusal as text', () => {
    expect(answer({ refusal: 'I cannot.' }).contents).toEqual([
      words('I cannot.'),
    ]);
  });

  it.each([
    { reasoning_content: 'hm' },
    { reasoning: 'hm' },
    { reasoning: 'hm', reasoning_content: 'hm' },
    { reasoning: 'hm', reasoning_content: '' },
    { reasoning: { effort: 'low' }, reasoning_content: 'hm' },
  ])('takes %j for thinking', (fields) => {
    expect(answer({ content: 'Yes', ...fields })).toEqual({
      role: 'assistant',
      contents: [words('Yes')],
      thinking: 'hm',
    });
  });

  it('keeps a call that cannot be executed as written', () => {
    const tool_calls = [
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{' } },
      { id: 'b', type: 'function', function: { arguments: '{}' } },
      { id: 'c', type: 'custom', custom: { name: 'g', input: 'x' } },
      { id: 'd', type: 'function', function: { name: 'h', arguments: '' } },
    ];
    expect(answer({ content: 'Wait', tool_calls })).toEqual({
      role: 'assistant',
      contents: [
        words('Wait'),
        { type: 'function', function: { id: 'a', name: 'f', arguments: '{' } },
        { type: 'function', function: { id: 'b', name: '', arguments: '{}' } },
      ],
      tool_calls: [
        { type: 'function', id: 'd', function: { name: 'h', arguments: {} } },
      ],
    });
  });

  it('never throws, for any values of the fields', () => {
    const calls = fc.oneof(
      json,
      fc.array(fc.record({ id: json, function: json })),
    );
    fc.assert(
      fc.property(json, json, calls, (content, refusal, tool_calls) => {
        const { role } = answer({ content, refusal, tool_calls });
        expect(role).toBe('assistant');
      }),
    );
  });
});

describe(toCompletionTools.name, () => {
  it('sends tools as strict unless their schema could not be made strict', () => {
    const tool = { name: 'f', description: '', parameters: {} };
    const tools = toCompletionTools([tool, { ...tool, strict: false }]);
    expect(tools.map((params) => params.function.strict)).toEqual([
      true,
      false,
    ]);
  });
});
