import fc from 'fast-check';
import {
  choices,
  deltasOf,
  json,
  message,
  text,
} from '../../../test/support/message.arbitrary';
import { accumulate, EMPTY_DELTA, type MessageDelta } from './delta';
import { finish, IncompleteMessage } from './delta-finish';

/** Also those that no stream brings: the same index twice, out of order, or no index at all. */
const index = fc.oneof(
  fc.nat(2),
  fc.constantFrom(-1, -0, 0.5, NaN, Infinity, 2 ** 40),
);
const anyOf = <T>(shape: { [Field in keyof T]: fc.Arbitrary<T[Field]> }) =>
  fc.record(shape, { requiredKeys: [], noNullPrototype: true });
const called = anyOf({ name: text, arguments: text });
const part = fc
  .tuple(
    index,
    anyOf({
      type: fc.constantFrom('text', 'image', 'function', 'value'),
      text,
      image: anyOf({ url: text, data: text, mime_type: text }),
      function: called,
      value: fc.oneof(json, fc.constantFrom(null, undefined)),
    }),
  )
  .map(([at, rest]) => ({ index: at, ...rest }));
const call = fc
  .tuple(
    index,
    anyOf({
      type: fc.constant('function' as const),
      id: text,
      function: called,
    }),
  )
  .map(([at, rest]) => ({ index: at, ...rest }));
const delta: fc.Arbitrary<MessageDelta> = anyOf({
  id: text,
  role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
  contents: fc.array(part, { maxLength: 4 }),
  thinking: text,
  tool_calls: fc.array(call, { maxLength: 4 }),
  tool_call_id: text,
  name: text,
});

const sum = (deltas: readonly MessageDelta[]) =>
  deltas.reduce(accumulate, EMPTY_DELTA);

describe('accumulate', () => {
  it('gives the same result, whichever two of three deltas are joined first', () => {
    fc.assert(
      fc.property(delta, delta, delta, (a, b, c) => {
        expect(accumulate(accumulate(a, b), c)).toStrictEqual(
          accumulate(a, accumulate(b, c)),
        );
      }),
    );
  });

  it('adds nothing for the empty delta, on either side', () => {
    fc.assert(
      fc.property(delta, (a) => {
        expect(accumulate(EMPTY_DELTA, a)).toStrictEqual(a);
        expect(accumulate(a, EMPTY_DELTA)).toStrictEqual(a);
      }),
    );
  });

  it('modifies neither argument', () => {
    fc.assert(
      fc.property(delta, delta, (a, b) => {
        const before = structuredClone([a, b]);
        accumulate(a, b);
        expect([a, b]).toStrictEqual(before);
      }),
    );
  });

  it('keeps the first value of a label that is repeated or changes', () => {
    expect(
      sum([
        { id: 'a', tool_calls: [{ index: 0, function: { name: 'f' } }] },
        { id: 'b', tool_calls: [{ index: 0, function: { name: 'f' } }] },
      ]),
    ).toEqual({
      id: 'a',
      tool_calls: [{ index: 0, function: { name: 'f' } }],
    });
  });

  it('treats null as a value', () => {
    const value = { index: 0, type: 'value' as const, value: null };
    const later = { index: 0, value: 1 };
    expect(sum([{ contents: [value] }, { contents: [later] }])).toEqual({
      contents: [value],
    });
  });
});

describe(finish.name, () => {
  it('restores the message, however it was split and interleaved', () => {
    fc.assert(
      fc.property(message, choices, (whole, from) => {
        expect(finish(sum(deltasOf(whole, from)))).toEqual(whole);
      }),
    );
  });

  it('gives the same message, however its deltas were batched in transit', () => {
    fc.assert(
      fc.property(message, choices, fc.nat(20), (whole, from, size) => {
        const deltas = deltasOf(whole, from);
        const batches = Array.from(
          { length: Math.ceil(deltas.length / (size + 1)) },
          (_, at) => deltas.slice(at * (size + 1), (at + 1) * (size + 1)),
        );
        expect(finish(sum(batches.map(sum)))).toEqual(whole);
      }),
    );
  });

  it('sorts interleaved calls by index', () => {
    const parts: [number, string][] = [
      [3, '{"q":'],
      [1, '{"q"'],
      [3, '"b"}'],
      [1, ':"a"}'],
    ];
    const deltas = parts.map(([at, args]) => ({
      tool_calls: [{ index: at, function: { name: 'f', arguments: args } }],
    }));
    const { tool_calls } = finish(sum([{ role: 'assistant' }, ...deltas]));
    expect(tool_calls!.map((made) => made.function.arguments)).toEqual([
      { q: 'a' },
      { q: 'b' },
    ]);
  });

  it('treats a call without an arguments field as one without arguments', () => {
    const { tool_calls } = finish({
      role: 'assistant',
      tool_calls: [{ index: 0, function: { name: 'f' } }],
    });
    expect(tool_calls).toEqual([
      { type: 'function', function: { name: 'f', arguments: {} } },
    ]);
  });

  const role = 'assistant';
  it.each<[string, MessageDelta]>([
    ['it has no role', { contents: [] }],
    ['it does not say which call it answers', { role: 'tool' }],
    ['contents.0 has no type', { role, contents: [{ index: 0, text: 'a' }] }],
    [
      'contents.1 is a text that never began',
      { role, contents: [{ index: 1, type: 'text' }] },
    ],
    [
      'contents.0 is of several types',
      { role, contents: [{ index: 0, type: 'text', text: 'a', value: 1 }] },
    ],
    [
      'contents.0 is an image without url or data',
      {
        role,
        contents: [{ index: 0, type: 'image', image: { mime_type: 'a/b' } }],
      },
    ],
    [
      'contents.0 is a call without a name',
      {
        role,
        contents: [{ index: 0, type: 'function', function: { id: 'a' } }],
      },
    ],
    [
      'tool_calls.2 has no name',
      { role, tool_calls: [{ index: 2, function: { arguments: '{}' } }] },
    ],
    ...['{"a":', '[]', '"a"', 'null', '{}{}'].map(
      (args): [string, MessageDelta] => [
        'tool_calls.0 has arguments that are no JSON object',
        {
          role,
          tool_calls: [{ index: 0, function: { name: 'f', arguments: args } }],
        },
      ],
    ),
  ])('says that %s', (fault, incomplete) => {
    const found = () => finish(incomplete);
    expect(found).toThrow(IncompleteMessage);
    expect(found).toThrow(`The message is incomplete: ${fault}.`);
  });
});
