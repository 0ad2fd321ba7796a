import { jsonObject } from './http/api-error.js';
import type { Message, Part } from './chat-types.js';
import { SondeError } from './errors.js';

type Call = NonNullable<Message['tool_calls']>[number];
type Role = Message['role'];
type Image = Extract<Part, { type: 'image' }>['image'];
type FunctionPart = Extract<Part, { type: 'function' }>;

/**
 * What one step of a stream adds to a message. Parts and calls are identified by `index`, so steps of several parts
 * may be interleaved; indexes determine the order and need not be contiguous.
 */
export interface MessageDelta {
  id?: string;
  role?: Role;
  contents?: readonly PartDelta[];
  thinking?: string;
  tool_calls?: readonly ToolCallDelta[];
  tool_call_id?: string;
  name?: string;
}

/**
 * `{index: 0, type: 'text', text: 'Hel'}`. Texts, Base64 data and arguments arrive in pieces, all other fields at
 * once.
 */
export interface PartDelta {
  index: number;
  type?: Part['type'];
  text?: string;
  image?: Image;
  function?: Partial<FunctionPart['function']>;
  value?: unknown;
}

/** `{index: 0, function: {arguments: '{"ci'}}`: `arguments` holds pieces of the JSON that the model writes. */
export interface ToolCallDelta {
  index: number;
  type?: 'function';
  id?: string;
  function?: CalledDelta;
}

interface CalledDelta {
  name?: string;
  arguments?: string;
}

/** The identity of `accumulate`. */
export const EMPTY_DELTA: MessageDelta = Object.freeze({});

type Join<T> = (a: T, b: T) => T;
type Defined<T> = T & ({} | null);
type Joins<T> = { [Field in keyof T]-?: Join<Defined<T[Field]>> };

/**
 * Keeps the first value. Gateways repeat or change a name or id in later steps, when the first value has already been
 * emitted; the message stays valid.
 */
const first = <T>(a: T, _b: T): T => a;
const concat: Join<string> = (a, b) => a + b;

/** Joins each field by its own rule. A field that only one side has is taken unchanged. */
function fieldwise<T extends object>(joins: Joins<T>): Join<T> {
  const fields = Object.keys(joins) as (keyof T)[];
  return (a, b) => {
    const sum = { ...a };
    for (const field of fields) {
      const [before, more] = [a[field], b[field]];
      // `??` would drop null, which is a valid value of a part.
      if (more === undefined) continue;
      sum[field] = before === undefined ? more : joins[field](before, more);
    }
    return sum;
  };
}

/**
 * Joins entries of the same index, at the position of the first. Entries are not sorted here, so any number is a
 * valid index.
 */
function byIndex<T extends { index: number }>(
  join: Join<T>,
): (a: readonly T[], b: readonly T[]) => T[] {
  return (a, b) => {
    const entries = new Map<number, T>();
    for (const entry of [...a, ...b]) {
      const before = entries.get(entry.index);
      entries.set(entry.index, before ? join(before, entry) : entry);
    }
    return [...entries.values()];
  };
}

const joinParts = byIndex(
  fieldwise<PartDelta>({
    index: first,
    type: first,
    text: concat,
    image: fieldwise<Image>({ url: first, data: concat, mime_type: first }),
    function: fieldwise<Partial<FunctionPart['function']>>({
      id: first,
      name: first,
      arguments: concat,
    }),
    value: first,
  }),
);

const joinCalls = byIndex(
  fieldwise<ToolCallDelta>({
    index: first,
    type: first,
    id: first,
    function: fieldwise<CalledDelta>({ name: first, arguments: concat }),
  }),
);

/**
 * Joins two deltas, first `a`, then `b`. Associative, with `EMPTY_DELTA` as its identity; neither argument is
 * changed.
 */
export const accumulate: Join<MessageDelta> = fieldwise<MessageDelta>({
  id: first,
  role: first,
  contents: joinParts,
  thinking: concat,
  tool_calls: joinCalls,
  tool_call_id: first,
  name: first,
});

/** The parts and calls of a delta, one per index, sorted by index. */
function inOrder(delta: MessageDelta): {
  contents: PartDelta[];
  tool_calls: ToolCallDelta[];
} {
  const { contents = [], tool_calls = [] } = delta;
  const order = (a: { index: number }, b: { index: number }): number =>
    a.index - b.index;
  return {
    contents: joinParts(contents, []).sort(order),
    tool_calls: joinCalls(tool_calls, []).sort(order),
  };
}

/** Names the invalid field and never includes message content. */
export class IncompleteMessage extends SondeError {
  override readonly name = 'IncompleteMessage';

  constructor(fault: string) {
    super(`The message is incomplete: ${fault}.`);
  }
}

/**
 * Converts the merged deltas of a stream to a message. It cannot detect whether the stream itself was complete.
 * @throws IncompleteMessage
 */
export function finish(delta: MessageDelta): Message {
  const { role, contents: _, tool_calls, ...labels } = delta;
  if (role === undefined) throw new IncompleteMessage('it has no role');
  if (role === 'tool' && labels.tool_call_id === undefined) {
    throw new IncompleteMessage('it does not say which call it answers');
  }
  const ordered = inOrder(delta);
  return {
    ...labels,
    role,
    contents: ordered.contents.map(finishPart),
    ...(tool_calls && { tool_calls: ordered.tool_calls.map(finishCall) }),
  };
}

const KINDS = ['text', 'image', 'function', 'value'] as const;

function finishPart(part: PartDelta): Part {
  const { index, type } = part;
  const path = `contents.${index}`;
  if (type === undefined) throw new IncompleteMessage(`${path} has no type`);
  const others = KINDS.filter((kind) => kind !== type);
  if (others.some((kind) => part[kind] !== undefined)) {
    throw new IncompleteMessage(`${path} is of several types`);
  }
  if (part[type] === undefined) {
    throw new IncompleteMessage(`${path} is a ${type} that never began`);
  }
  if (type === 'text') return { type, text: part.text! };
  if (type === 'value') return { type, value: part.value };
  if (type === 'image') {
    const image = part.image!;
    if (image.url !== undefined || image.data !== undefined) {
      return { type, image };
    }
    throw new IncompleteMessage(`${path} is an image without url or data`);
  }
  const { id, name, arguments: args = '' } = part.function!;
  if (!name) throw new IncompleteMessage(`${path} is a call without a name`);
  return {
    type,
    function: { ...(id !== undefined && { id }), name, arguments: args },
  };
}

function finishCall({ index, id, function: called }: ToolCallDelta): Call {
  const path = `tool_calls.${index}`;
  const name = called?.name;
  if (!name) throw new IncompleteMessage(`${path} has no name`);
  const args = parseCallArguments(called.arguments ?? '');
  if (!args) {
    throw new IncompleteMessage(
      `${path} has arguments that are no JSON object`,
    );
  }
  return {
    type: 'function',
    ...(id !== undefined && { id }),
    function: { name, arguments: args },
  };
}

/** Some models send an empty string for empty arguments. */
function parseCallArguments(json: string): Record<string, unknown> | undefined {
  return jsonObject(json.trim() || '{}');
}
