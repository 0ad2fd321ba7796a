import fc from 'fast-check';
import type {
  ChatCompletionChunk,
  ChatCompletionMessage,
} from 'openai/resources/chat/completions';
import {
  researchTool,
  sandboxUnderTest,
} from '../../../sandbox/testing/sandbox-under-test';
import {
  choices,
  type Choices,
  interleave,
  json,
  pieces,
  text,
  toolCall,
} from '../../../test/support/message.arbitrary';
import {
  accumulate,
  EMPTY_DELTA,
  type MessageDelta,
} from '../../platform/message/delta';
import { finish } from '../../platform/message/delta-finish';
import type { Message, ToolCall } from '../../platform/message/message';
import { CompletionDeltas } from './completions-stream';
import {
  fromCompletionMessage,
  toCompletionMessages,
} from './completions-messages';

const chunk = (delta: object) =>
  ({ choices: [{ index: 0, delta }] }) as ChatCompletionChunk;
const usage = { choices: [], usage: {} } as unknown as ChatCompletionChunk;
const read = (deltas: readonly object[]): MessageDelta => {
  const reader = new CompletionDeltas();
  return [...deltas.map(chunk), usage]
    .map((one) => reader.read(one))
    .reduce(accumulate, EMPTY_DELTA);
};
const message = (delta: readonly object[]) => finish(read(delta));

const functionOf = (call: ToolCall) => ({
  name: call.function.name,
  arguments: JSON.stringify(call.function.arguments),
});
const withIds = (calls: readonly ToolCall[]) =>
  calls.map((call, at) => ({ ...call, id: `call_${at}` }));

/** As specified: id and name once, then the arguments in pieces, with the fragments of several calls in turns. */
function fragments(calls: readonly ToolCall[], from: Choices): object[] {
  const lanes = calls.map((call, index) => {
    const { name, arguments: args } = functionOf(call);
    const { type, id } = call;
    const first = { index, id, type, function: { name, arguments: '' } };
    const rest = pieces(args, from).map((piece) => ({
      index,
      function: { arguments: piece },
    }));
    return [first, ...rest];
  });
  return interleave(lanes, from).map((call) => ({ tool_calls: [call] }));
}

describe(CompletionDeltas.name, () => {
  it('adds up to the message of the reply without streaming', () => {
    const calls = fc.array(toolCall, { maxLength: 3 });
    fc.assert(
      fc.property(text, text, text, calls, choices, (a, b, c, made, from) => {
        const wire = {
          content: a,
          refusal: b,
          reasoning_content: c,
          tool_calls: made.map((call) => ({
            ...call,
            function: functionOf(call),
          })),
        };
        const streamed = interleave<object>(
          [
            pieces(a, from).map((content) => ({ content })),
            pieces(b, from).map((refusal) => ({ refusal })),
            pieces(c, from).map((reasoning_content) => ({
              reasoning_content,
            })),
            fragments(made, from),
          ],
          from,
        );
        const first = { role: 'assistant', content: '' };
        expect(message([first, ...streamed, {}])).toEqual(
          fromCompletionMessage({
            role: 'assistant',
            ...wire,
          } as ChatCompletionMessage),
        );
      }),
    );
  });

  it('reads a streamed turn in a form that the endpoint accepts back with its results', async () => {
    const sandbox = await sandboxUnderTest();
    const { type, ...definition } = researchTool;
    const ask = async (messages: Message[]) => {
      const stream = await sandbox.client.chat.completions.create({
        model: 'gpt-4o',
        messages: toCompletionMessages(messages),
        tools: [{ type, function: definition }],
        stream: true,
        stream_options: { include_usage: true },
      });
      const reader = new CompletionDeltas();
      let sum = EMPTY_DELTA;
      for await (const one of stream) sum = accumulate(sum, reader.read(one));
      return finish(sum);
    };
    try {
      const task = 'Research in detail:\n- kimchi\n- sourdough';
      const question: Message = {
        role: 'user',
        contents: [{ type: 'text', text: task }],
      };
      const turn = await ask([question]);
      expect(turn.tool_calls).toHaveLength(2);
      const results = turn.tool_calls!.map(({ id }): Message => ({
        role: 'tool',
        tool_call_id: id,
        contents: [
          { type: 'text', text: 'Both are fermented.' },
          { type: 'image', image: { url: 'https://example.com/a.png' } },
        ],
      }));
      expect(await ask([question, turn, ...results])).toMatchObject({
        role: 'assistant',
        contents: [{ type: 'text', text: expect.stringMatching(/./) }],
      });
    } finally {
      await sandbox.close();
    }
  });

  it.each<[string, (call: ToolCall) => object]>([
    ['index 0 for every call', ({ id }) => ({ id, index: 0 })],
    ['no index', ({ id }) => ({ id })],
    ['neither index nor id', () => ({})],
  ])('keeps whole calls apart when a gateway gives %s', (_, labels) => {
    const some = fc.array(toolCall, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(some, fc.boolean(), (list, atOnce) => {
        const calls = withIds(list);
        const wire = calls.map((call) => ({
          ...labels(call),
          function: functionOf(call),
        }));
        const { tool_calls } = message(
          atOnce
            ? [{ tool_calls: wire }]
            : wire.map((call) => ({ tool_calls: [call] })),
        );
        expect(tool_calls!.map((call) => call.function)).toEqual(
          calls.map((call) => call.function),
        );
      }),
    );
  });

  it('joins fragments that repeat the id and the name into one call', () => {
    const { tool_calls } = message(
      ['{"q"', ':1}'].map((args) => ({
        tool_calls: [
          { index: 0, id: 'a', function: { name: 'f', arguments: args } },
        ],
      })),
    );
    expect(tool_calls).toEqual([
      {
        type: 'function',
        id: 'a',
        function: { name: 'f', arguments: { q: 1 } },
      },
    ]);
  });

  it('adds fragments without an index to the last call', () => {
    const wire = [
      { id: 'a', function: { name: 'f', arguments: '{"q"' } },
      { function: { arguments: ':1}' } },
      { id: 'b', function: { name: 'f' } },
      { id: '', function: { name: '', arguments: '{"q":2}' } },
    ];
    const { tool_calls } = message(
      wire.map((call) => ({ tool_calls: [call] })),
    );
    expect(tool_calls!.map((call) => call.function.arguments)).toEqual([
      { q: 1 },
      { q: 2 },
    ]);
  });

  it('sends the role once, even if the gateway never does', () => {
    const reader = new CompletionDeltas();
    expect(reader.read(usage)).toEqual({});
    expect(reader.read(chunk({ content: 'a' }))).toEqual({
      role: 'assistant',
      contents: [{ index: 0, type: 'text', text: 'a' }],
    });
    expect(reader.read(chunk({ role: 'assistant', content: 'b' }))).toEqual({
      contents: [{ index: 0, type: 'text', text: 'b' }],
    });
  });

  it('never throws, for any values of the fields', () => {
    const call = fc.record({ index: json, id: json, function: json });
    const delta = fc.oneof(
      json,
      fc.record({
        content: json,
        tool_calls: fc.oneof(json, fc.array(fc.oneof(call, json))),
      }),
    );
    fc.assert(
      fc.property(fc.array(delta), (deltas) => {
        expect(() => read(deltas as object[])).not.toThrow();
      }),
    );
  });
});
