import { AppError } from '../../errors';
import { chatInput } from './chat.input';
import type { ChatRequestDto } from '../dto/chat.dto';
import type { MessageDto } from '../dto/message.dto';

type Turn = Pick<MessageDto, keyof MessageDto>;

const text = (value: string) => ({ type: 'text' as const, text: value });
const turn = (role: MessageDto['role'], value: string): Turn => ({
  role,
  contents: [text(value)],
});
const calling = (id: string): Turn => ({
  role: 'assistant',
  contents: [],
  tool_calls: [
    { type: 'function', id, function: { name: 'f', arguments: {} } },
  ],
});
const answering = (id: string): Turn => ({
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

  it('needs a message of the user', () => {
    const messages = [turn('system', 'Be brief.')];
    expect(faultsOf({ messages })).toEqual(['messages', 'message']);
    expect(faultsOf({ messages, message: 'Hi' })).toEqual([]);
  });

  it('takes calls that have their answers', () => {
    const messages = [
      turn('user', 'one'),
      calling('a'),
      answering('a'),
      calling('a'),
      answering('a'),
    ];
    expect(faultsOf({ messages })).toEqual([]);
  });

  it('takes calls without ids, answered in their order', () => {
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
      bare(calling('a')),
      calling('call_1'),
      bare(calling('b')),
      bare(answering('a')),
      answering('call_1'),
      bare(answering('b')),
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
    expect(faultsOf({ messages: [...messages, bare(answering('c'))] })).toEqual(
      ['messages.7.tool_call_id'],
    );
  });

  it('names calls without an answer, and answers without a call', () => {
    const messages = [
      turn('user', 'one'),
      answering('a'),
      calling('a'),
      calling('b'),
      answering('b'),
      answering('b'),
    ];
    expect(faultsOf({ messages })).toEqual([
      'messages.1.tool_call_id',
      'messages.5.tool_call_id',
      'messages.2.tool_calls.0.id',
    ]);
  });

  it('lets only assistants call tools, and assistants show no images', () => {
    const image = { type: 'image' as const, image: { url: 'https://a/b.png' } };
    const messages: Turn[] = [
      { ...calling('a'), role: 'user' },
      answering('a'),
      { role: 'assistant', contents: [text('see'), image] },
      { role: 'user', contents: [image] },
    ];
    expect(faultsOf({ messages })).toEqual([
      'messages.0.tool_calls',
      'messages.2.contents.1',
    ]);
  });
});
