import type { Message } from '../../platform/message/message';
import { sentBack, toFunctionTools, toInputItems } from './responses-input';

const text = (value: string) => ({ type: 'text' as const, text: value });

describe(toInputItems.name, () => {
  it('sends texts of every role as plain text', () => {
    const messages: Message[] = [
      { role: 'system', contents: [text('Be brief.')] },
      { role: 'user', contents: [text('one'), text('two')], name: 'Kim' },
      { role: 'assistant', contents: [text('three')], thinking: 'secret' },
    ];
    expect(toInputItems(messages)).toEqual([
      { type: 'message', role: 'system', content: 'Be brief.' },
      { type: 'message', role: 'user', content: 'one\ntwo' },
      { type: 'message', role: 'assistant', content: 'three' },
    ]);
  });

  it('sends earlier calls with their results', () => {
    const messages: Message[] = [
      {
        role: 'assistant',
        contents: [],
        tool_calls: [
          {
            type: 'function',
            id: 'call_1',
            function: { name: 'weather', arguments: { city: 'Seoul' } },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_1',
        contents: [{ type: 'value', value: { celsius: 3 } }],
      },
    ];
    expect(toInputItems(messages)).toEqual([
      {
        type: 'function_call',
        call_id: 'call_1',
        name: 'weather',
        arguments: '{"city":"Seoul"}',
      },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: '{"celsius":3}',
      },
    ]);
  });

  it('sends images by their URL or their bytes', () => {
    const messages: Message[] = [
      {
        role: 'user',
        contents: [
          text('What is this?'),
          { type: 'image', image: { url: 'https://example.com/a.png' } },
          { type: 'image', image: { data: 'AAAA', mime_type: 'image/gif' } },
        ],
      },
    ];
    expect(toInputItems(messages)).toEqual([
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          {
            type: 'input_image',
            image_url: 'https://example.com/a.png',
            detail: 'auto',
          },
          {
            type: 'input_image',
            image_url: 'data:image/gif;base64,AAAA',
            detail: 'auto',
          },
        ],
      },
    ]);
  });

  it('sends values and calls inside a text as JSON', () => {
    const messages: Message[] = [
      {
        role: 'user',
        contents: [
          { type: 'value', value: null },
          { type: 'function', function: { name: 'f', arguments: '{' } },
        ],
      },
    ];
    expect(toInputItems(messages)).toEqual([
      {
        type: 'message',
        role: 'user',
        content: 'null\n{"name":"f","arguments":"{"}',
      },
    ]);
  });
});

describe(sentBack.name, () => {
  it('completes the type of a message, and leaves other items as they are', () => {
    const message = { role: 'assistant', content: [] } as never;
    expect(sentBack(message)).toMatchObject({ type: 'message' });
    const call = { type: 'function_call', call_id: 'a' } as never;
    expect(sentBack(call)).toEqual(call);
  });
});

describe(toFunctionTools.name, () => {
  it('sends tools flat, and as strict unless their schema could not be made strict', () => {
    const parameters = { type: 'object' };
    const tool = { name: 'f', description: 'does f', parameters };
    const loose = { ...tool, strict: false };
    expect(toFunctionTools([tool, loose])).toEqual([
      { type: 'function', strict: true, ...tool },
      { type: 'function', ...loose },
    ]);
  });
});
