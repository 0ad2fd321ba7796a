import fc from 'fast-check';
import type {
  MessageDelta,
  PartDelta,
  ToolCallDelta,
} from '../../src/platform/message/delta';
import type {
  Message,
  Part,
  ToolCall,
} from '../../src/platform/message/message';

/** The message after a round trip over the wire. */
const overTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export const json = fc.jsonValue().map(overTheWire);
export const text = fc.string({ unit: 'binary' });
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
const base64 = fc.base64String();

export const toolCall: fc.Arbitrary<ToolCall> = fc.record(
  {
    type: fc.constant('function' as const),
    id: name,
    function: fc.record({
      name,
      arguments: fc.dictionary(text, json).map(overTheWire),
    }),
  },
  { requiredKeys: ['type', 'function'] },
);

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({
    type: fc.constant('image' as const),
    image: fc.oneof(
      fc.record({ url: fc.webUrl() }),
      fc.record({ data: base64, mime_type: fc.constant('image/gif') }),
    ),
  }),
  fc.record({
    type: fc.constant('function' as const),
    function: fc.record(
      { id: name, name, arguments: text },
      { requiredKeys: ['name', 'arguments'] },
    ),
  }),
  fc.record({ type: fc.constant('value' as const), value: json }),
);

export const message: fc.Arbitrary<Message> = fc
  .record(
    {
      id: name,
      role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
      contents: fc.array(part, { maxLength: 4 }),
      thinking: text,
      tool_calls: fc.array(toolCall, { maxLength: 3 }),
      tool_call_id: name,
      name,
    },
    { requiredKeys: ['role', 'contents', 'tool_call_id'] },
  )
  .map(({ tool_call_id, ...rest }) =>
    rest.role === 'tool' ? { ...rest, tool_call_id } : rest,
  );

/** An endless sequence of numbers that decides where a text is split and which list comes next. */
export const choices = fc.infiniteStream(fc.nat(7));
export type Choices = Iterator<number>;

const next = (from: Choices): number => from.next().value as number;

/** The text in pieces, split anywhere, also within a character. At least one piece. */
export function pieces(whole: string, from: Choices): string[] {
  const found: string[] = [];
  for (let at = 0; at < whole.length || found.length === 0;) {
    const size = next(from);
    found.push(whole.slice(at, at + size));
    at += size;
  }
  return found;
}

/** Merges many lists into one, each in its own order. */
export function interleave<T>(lists: readonly T[][], from: Choices): T[] {
  const left = lists.map((list) => [...list]).filter(({ length }) => length);
  const all: T[] = [];
  while (left.length > 0) {
    const at = next(from) % left.length;
    all.push(left[at].shift()!);
    if (left[at].length === 0) left.splice(at, 1);
  }
  return all;
}

/** Deltas that add up to the message, in an order that a stream could have. */
export function deltasOf(whole: Message, from: Choices): MessageDelta[] {
  const { contents, tool_calls, thinking, ...labels } = whole;
  const lanes: MessageDelta[][] = [
    Object.entries(labels).map(([field, value]) => ({ [field]: value })),
    contents.length === 0 ? [] : [{ contents: [] }],
    tool_calls ? [{ tool_calls: [] }] : [],
    thinking === undefined
      ? []
      : pieces(thinking, from).map((piece) => ({ thinking: piece })),
    ...contents.map((one, index) =>
      partDeltas(one, index, from).map((delta) => ({ contents: [delta] })),
    ),
    ...(tool_calls ?? []).map((call, index) =>
      callDeltas(call, index, from).map((delta) => ({ tool_calls: [delta] })),
    ),
  ];
  return interleave(lanes, from);
}

function partDeltas(one: Part, index: number, from: Choices): PartDelta[] {
  switch (one.type) {
    case 'value':
      return [
        { index, type: 'value' },
        { index, value: one.value },
      ];
    case 'text':
      return [
        { index, type: 'text' },
        ...pieces(one.text, from).map((piece) => ({ index, text: piece })),
      ];
    case 'image': {
      const { data, ...image } = one.image;
      if (data === undefined) return [{ index, ...one }];
      return [
        { index, type: 'image', image },
        ...pieces(data, from).map((piece) => ({
          index,
          image: { data: piece },
        })),
      ];
    }
    case 'function': {
      const { arguments: args, ...called } = one.function;
      return [
        { index, type: 'function', function: called },
        ...argumentDeltas(args, index, from),
      ];
    }
  }
}

function callDeltas(
  { function: called, ...call }: ToolCall,
  index: number,
  from: Choices,
): ToolCallDelta[] {
  return [
    { index, ...call, function: { name: called.name } },
    ...argumentDeltas(JSON.stringify(called.arguments), index, from),
  ];
}

function argumentDeltas(
  args: string,
  index: number,
  from: Choices,
): { index: number; function: { arguments: string } }[] {
  return pieces(args, from).map((piece) => ({
    index,
    function: { arguments: piece },
  }));
}
