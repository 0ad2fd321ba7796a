import type { FunctionPart, Image, Part, Role } from './message';

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
): Join<readonly T[]> {
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
export function inOrder(delta: MessageDelta): {
  contents: PartDelta[];
  tool_calls: ToolCallDelta[];
} {
  const { contents = [], tool_calls = [] } = delta;
  const order = (a: { index: number }, b: { index: number }): number =>
    a.index - b.index;
  return {
    contents: joinParts(contents, []).toSorted(order),
    tool_calls: joinCalls(tool_calls, []).toSorted(order),
  };
}
