import type { FunctionPart, Image, Part, Role } from './message';

/**
 * What one event of a stream adds to a message. `index` identifies a part or a call and gives its position: deltas of
 * several parts may interleave, and indexes may have gaps.
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

/** `{index: 0, type: 'text', text: 'Hel'}`. Text, Base64 data and arguments arrive in fragments, every other field whole. */
export interface PartDelta {
  index: number;
  type?: Part['type'];
  text?: string;
  image?: Image;
  function?: Partial<FunctionPart['function']>;
  value?: unknown;
}

/** `{index: 0, function: {arguments: '{"ci'}}`: the arguments are fragments of the JSON that the model writes. */
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

/** Adds nothing: the identity of `accumulate`. */
export const EMPTY_DELTA: MessageDelta = Object.freeze({});

type Join<T> = (a: T, b: T) => T;
type Defined<T> = T & ({} | null);
type Joins<T> = { [Field in keyof T]-?: Join<Defined<T[Field]>> };

/**
 * The first value of a label, such as a name or an id, wins: gateways repeat labels in every event, or change them after
 * the first has been sent on.
 */
const first = <T>(a: T, _b: T): T => a;
const concat: Join<string> = (a, b) => a + b;

/** Joins field by field. A field that only one side has keeps its value. */
function fieldwise<T extends object>(joins: Joins<T>): Join<T> {
  const fields = Object.keys(joins) as (keyof T)[];
  return (a, b) => {
    const sum = { ...a };
    for (const field of fields) {
      const [before, more] = [a[field], b[field]];
      // `??` would lose null, which is a valid value of a part.
      if (more === undefined) continue;
      sum[field] = before === undefined ? more : joins[field](before, more);
    }
    return sum;
  };
}

/**
 * Joins entries of the same index, at the position of the first. Entries are not sorted, so every number is a valid index.
 */
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
 * `a` followed by `b`. Associative, with `EMPTY_DELTA` as its identity: every rule above is associative, and a missing
 * field is its identity. Neither argument is changed.
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
