import { AppError } from '../../platform/errors';
import { chatInput } from './chat-input';
import type { ChatRequestDto } from '../dto/chat.dto';
import type { MessageDto } from '../dto/message.dto';

type Turn = Pick<MessageDto, keyof MessageDto>;

const text = (value: string) => ({ type: 'text' as const, text: value });
const turn = (role: MessageDto['role'], value: string): Turn => ({
  role,
  contents: [text(value)],
});
const callOf = (id: string): Turn => ({
  role: 'assistant',
  contents: [],
  tool_calls: [
    { type: 'function', id, function: { name: 'f', arguments: {} } },
  ],
});
const resultOf = (id: string): Turn => ({
  ...turn('tool', 'result'),
  tool_call_id: id,
});
const faultsOf = (request: ChatRequestDto) => {
  try {
    chatInput(request);
  } catch (error) {
    return (error as AppError).errors!.map(({ path }) => path);
  }
  return [];
};

describe(chatInput.name, () => {
  it('puts context and documents before the message', () => {
    const request = {
      message: 'What can I cook?',
      context: ['춘장', '중화면'],
      documents: [{ title: 'Pork & more', text: 'a <b>' }],
      system_prompt: 'You are a pirate.',
    };
    expect(chatInput(request)).toEqual([
      turn(
        'user',
        'Context:\n춘장\n중화면\n\n<document title="Pork &amp; more">\na &lt;b&gt;\n</document>\n\nWhat can I cook?',
      ),
    ]);
  });

  it('puts the message after the earlier turns', () => {
    const messages = [turn('user', 'one'), turn('assistant', 'two')];
    expect(chatInput({ messages, message: 'three' })).toEqual([
      ...messages,
      turn('user', 'three'),
    ]);
  });

  it('puts context before the last user message when there is no other', () => {
    const messages = [
      turn('user', 'one'),
      turn('assistant', 'two'),
      turn('user', 'three'),
      turn('assistant', 'four'),
    ];
    const input = chatInput({ messages, context: ['salt'] });
    expect(input[2].contents).toEqual([text('Context:\nsalt'), text('three')]);
    expect(input.toSpliced(2, 1)).toEqual(messages.toSpliced(2, 1));
  });

  it('requires a user message', () => {
    const messages = [turn('system', 'Be brief.')];
    expect(faultsOf({ messages })).toEqual(['messages', 'message']);
    expect(faultsOf({ messages, message: 'Hi' })).toEqual([]);
  });

  it('accepts calls that have results', () => {
    const messages = [
      turn('user', 'one'),
      callOf('a'),
      resultOf('a'),
      callOf('a'),
      resultOf('a'),
    ];
    expect(faultsOf({ messages })).toEqual([]);
  });

  it('matches calls without ids with results in order', () => {
    const bare = (message: Turn): Turn => ({
      ...message,
      tool_call_id: undefined,
      tool_calls: message.tool_calls?.map(({ type, function: called }) => ({
        type,
        function: called,
      })),
    });
    const messages = [
      turn('user', 'one'),
      bare(callOf('a')),
      callOf('call_1'),
      bare(callOf('b')),
      bare(resultOf('a')),
      resultOf('call_1'),
      bare(resultOf('b')),
    ];
    const input = chatInput({ messages });
    expect(
      input.slice(1, 4).map(({ tool_calls }) => tool_calls![0].id),
    ).toEqual(['call_2', 'call_1', 'call_3']);
    expect(input.slice(4).map(({ tool_call_id }) => tool_call_id)).toEqual([
      'call_2',
      'call_1',
      'call_3',
    ]);
    expect(faultsOf({ messages: messages.slice(0, -1) })).toEqual([
      'messages.3.tool_calls.0.id',
    ]);
    expect(faultsOf({ messages: [...messages, bare(resultOf('c'))] })).toEqual([
      'messages.7.tool_call_id',
    ]);
  });

  it('names calls without a result, and results without a call', () => {
    const messages = [
      turn('user', 'one'),
      resultOf('a'),
      callOf('a'),
      callOf('b'),
      resultOf('b'),
      resultOf('b'),
    ];
    expect(faultsOf({ messages })).toEqual([
      'messages.1.tool_call_id',
      'messages.5.tool_call_id',
      'messages.2.tool_calls.0.id',
    ]);
  });

  it('rejects tool calls of any role but the assistant, and its images', () => {
    const image = { type: 'image' as const, image: { url: 'https://a/b.png' } };
    const messages: Turn[] = [
      { ...callOf('a'), role: 'user' },
      resultOf('a'),
      { role: 'assistant', contents: [text('see'), image] },
      { role: 'user', contents: [image] },
    ];
    expect(faultsOf({ messages })).toEqual([
      'messages.0.tool_calls',
      'messages.2.contents.1',
    ]);
  });
});
