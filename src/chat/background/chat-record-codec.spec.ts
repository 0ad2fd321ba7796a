import fc from 'fast-check';
import type { Turn } from '../turns/chat-turn';
import { openReply } from '../loop/chat-reply';
import { begunField, resultField, seenField } from './chat-fields';
import {
  invocationIdOf,
  readChat,
  readReply,
  writeReply,
  writeResult,
  writeTurn,
  writeTurns,
} from './chat-record-codec';

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
const usage = fc.record({
  input_tokens: fc.nat(),
  output_tokens: fc.nat(),
  total_tokens: fc.nat(),
});
const output = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string() }),
    fc.record({ type: fc.constant('value' as const), value: json }),
  ),
);
const call = fc.record({
  call: fc.record({
    callId: fc.string({ unit: 'binary' }),
    name: fc.string(),
    arguments: fc.string(),
  }),
  result: fc.option(
    fc.record({
      callId: fc.string(),
      toolName: fc.string(),
      arguments: fc.option(fc.constant({ n: 1 })),
      outcome: fc.constantFrom('refused', 'reported', 'failed', 'told'),
      output,
      invocation: fc.option(
        fc.record({
          id: fc.string(),
          token: fc.constant('token'),
          status: fc.constant('completed' as const),
        }),
      ),
    }),
    { nil: undefined },
  ),
});
const turn = fc
  .record({
    agent: fc.option(fc.string()),
    text: fc.string(),
    calls: fc.array(call, { maxLength: 3 }),
    atMs: fc.nat(),
    responseId: fc.option(fc.string()),
    usage: fc.option(usage),
    sources: fc.array(fc.record({ url: fc.webUrl(), title: fc.string() })),
  })
  .map(({ calls, ...rest }): Turn => ({
    ...rest,
    calls: calls.map((one) => one.call),
    results: calls.map((one) => one.result),
  }));

const withoutTokens = (turns: readonly Turn[]) =>
  turns.map(({ results, ...rest }) => ({
    ...rest,
    results: results.map(
      (result) =>
        result && {
          ...result,
          invocation: result.invocation && { ...result.invocation, token: '' },
        },
    ),
  }));

describe('a chat on its record', () => {
  const args = JSON.stringify({ message: 'Hello' });

  it('is read as it was written, all at once or bit by bit, but for its tokens', () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 12 }), (turns) => {
        const bits = turns.flatMap((one, index) => [
          writeTurn(one, index),
          ...one.results.map((result, at) =>
            result ? writeResult(one, index, at) : {},
          ),
        ]);
        const apart = Object.assign({ args }, ...bits.reverse());
        const whole = { args, ...writeTurns(turns) };
        expect(apart).toEqual(whole);
        expect(JSON.stringify(whole)).not.toContain('token\\":\\"token');
        const { turns: read, request } = readChat(whole);
        expect(read).toEqual(withoutTokens(turns));
        expect(request).toEqual({ message: 'Hello' });
      }),
    );
  });

  it('is read up to the last turn that was written', () => {
    const { turns } = readChat({
      args,
      [resultField(1, 0)]: '{}',
      [begunField(0, 0)]: '1',
      [seenField(0, 0)]: '7',
      'decision:a': '{"approve":true}',
    });
    expect(turns).toEqual([]);
  });

  it('has the decisions that were made, by call', () => {
    const fields = {
      args,
      'decision:a': '{"approve":false,"reason":"No."}',
      'decision:b:c': '{"answer":"Yes."}',
      decisions: 'another field',
    };
    const { decisions } = readChat(fields);
    expect([...decisions]).toEqual([
      ['a', { approve: false, reason: 'No.' }],
      ['b:c', { answer: 'Yes.' }],
    ]);
  });

  it('keeps its reply, but no token', () => {
    expect(readReply({})).toBeNull();
    const tool_calls = [
      {
        tool_name: 'look',
        call_id: 'a',
        arguments: {},
        invocation_id: 'inv_1',
        invocation_token: 'secret',
        status: 'completed' as const,
        error: null,
      },
    ];
    const reply = {
      ...openReply('failed'),
      content: 'The chat request failed.',
      tool_calls,
    };
    const written = writeReply(reply);
    expect(written.response).not.toContain('secret');
    expect(readReply(written)).toEqual({
      ...reply,
      tool_calls: [{ ...tool_calls[0], invocation_token: null }],
    });
  });

  it('begins an invocation for each call, and the same whoever makes it', () => {
    const ids = new Set(
      ['chat_1', 'chat_2'].flatMap((chat) =>
        [1, 11].flatMap((at) =>
          [1, 11].map((n) => invocationIdOf(chat, { atMs: 5 }, n, at)),
        ),
      ),
    );
    expect(ids.size).toBe(8);
    expect(ids).toContain(invocationIdOf('chat_1', { atMs: 5 }, 1, 11));
  });
});
