import { jsonObject } from './api-error.js';
import type { Message, Part } from './chat-types.js';
import { SondeError } from './errors.js';

type Call = NonNullable<Message['tool_calls']>[number];
type Role = Message['role'];
type Image = Extract<Part, { type: 'image' }>['image'];
type FunctionPart = Extract<Part, { type: 'function' }>;

/**
 * What one step of a stream adds to a message. Parts and calls are told apart by `index`, so that the steps of several
 * may come in turns; an index says where its part belongs, and need not follow the one before.
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

/** `{index: 0, type: 'text', text: 'Hel'}`. Texts, Base64 data and arguments come in pieces, all else at once. */
export interface PartDelta {
  index: number;
  type?: Part['type'];
  text?: string;
  image?: Image;
  function?: Partial<FunctionPart['function']>;
  value?: unknown;
}

/** `{index: 0, function: {arguments: '{"ci'}}`: the arguments are pieces of the JSON that the model writes. */
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

/** The delta that adds nothing. */
export const EMPTY_DELTA: MessageDelta = Object.freeze({});

type Join<T> = (a: T, b: T) => T;
type Defined<T> = T & ({} | null);
type Joins<T> = { [Field in keyof T]-?: Join<Defined<T[Field]>> };

/**
 * Labels: the first one given stays. Gateways repeat a name or an id with every step, or change it on the way, when the
 * first has long been passed on; no answer is lost for that.
 */
const first = <T>(a: T, _b: T): T => a;
const concat: Join<string> = (a, b) => a + b;

/** Each field by its own rule. A field that one side does not have is that of the other, whatever its rule. */
function fieldwise<T extends object>(joins: Joins<T>): Join<T> {
  const fields = Object.keys(joins) as (keyof T)[];
  return (a, b) => {
    const sum = { ...a };
    for (const field of fields) {
      const [before, more] = [a[field], b[field]];
      // Not by `??`: null is a value that a part may hold.
      if (more === undefined) continue;
      sum[field] = before === undefined ? more : joins[field](before, more);
    }
    return sum;
  };
}

/** Entries of the same index become one, in the place of the first. Nothing is sorted, so any number is a good index. */
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
 * What `a` and then `b` add. Associative for any deltas, and `EMPTY_DELTA` is its identity: every rule above is
 * associative by itself, and a missing field is the identity of each. Changes neither of the two.
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

/** The parts or calls of a delta, one for each index, in the order of their indexes. */
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

/** Names the field at fault, never what was said in it. */
export class IncompleteMessage extends SondeError {
  override readonly name = 'IncompleteMessage';

  constructor(fault: string) {
    super(`The message is incomplete: ${fault}.`);
  }
}

/**
 * The message that the deltas of a stream add up to. Whether the stream itself came to its end is not seen from here.
 * @throws IncompleteMessage
 */
export function finish(delta: MessageDelta): Message {
  const { role, contents: _, tool_calls, ...labels } = delta;
  if (role === undefined) throw new IncompleteMessage('it has no role');
  if (role === 'tool' && labels.tool_call_id === undefined) {
    throw new IncompleteMessage('it does not say which call it answers');
  }
  const told = inOrder(delta);
  return {
    ...labels,
    role,
    contents: told.contents.map(finishPart),
    ...(tool_calls && { tool_calls: told.tool_calls.map(finishCall) }),
  };
}

const KINDS = ['text', 'image', 'function', 'value'] as const;

function finishPart(part: PartDelta): Part {
  const { index, type } = part;
  const at = `contents.${index}`;
  if (type === undefined) throw new IncompleteMessage(`${at} has no type`);
  const others = KINDS.filter((kind) => kind !== type);
  if (others.some((kind) => part[kind] !== undefined)) {
    throw new IncompleteMessage(`${at} is of several types`);
  }
  if (part[type] === undefined) {
    throw new IncompleteMessage(`${at} is a ${type} that never began`);
  }
  if (type === 'text') return { type, text: part.text! };
  if (type === 'value') return { type, value: part.value };
  if (type === 'image') {
    const image = part.image!;
    if (image.url !== undefined || image.data !== undefined) {
      return { type, image };
    }
    throw new IncompleteMessage(`${at} is an image without url or data`);
  }
  const { id, name, arguments: args = '' } = part.function!;
  if (!name) throw new IncompleteMessage(`${at} is a call without a name`);
  return {
    type,
    function: { ...(id !== undefined && { id }), name, arguments: args },
  };
}

function finishCall({ index, id, function: called }: ToolCallDelta): Call {
  const at = `tool_calls.${index}`;
  const name = called?.name;
  if (!name) throw new IncompleteMessage(`${at} has no name`);
  const args = parseCallArguments(called.arguments ?? '');
  if (!args) {
    throw new IncompleteMessage(`${at} has arguments that are no JSON object`);
  }
  return {
    type: 'function',
    ...(id !== undefined && { id }),
    function: { name, arguments: args },
  };
}

/** Some models write nothing where there is nothing to say. */
function parseCallArguments(json: string): Record<string, unknown> | undefined {
  return jsonObject(json.trim() || '{}');
}
