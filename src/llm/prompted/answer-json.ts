import { isObject } from '../../platform/message/call-arguments';

/** A call found in an object, with arguments of any type. */
export interface ShapedCall {
  name: string;
  arguments: unknown;
}

/** Fields that may accompany the name and the arguments of a call. Any other field makes it an object of another kind. */
export const EXTRA_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'call_id',
  'index',
  'type',
  'status',
  'thought',
  'reasoning',
]);

/**
 * The calls of an object in one of the formats that models were trained on: `name` with `arguments` or `parameters`, alone
 * or as a `function`, in the `tool_calls` of a message, or as its `function_call`. Null if it is none of them.
 */
export function shapedCalls(value: unknown): ShapedCall[] | null {
  if (Array.isArray(value)) {
    const calls = value.map(shapedCalls);
    return calls.every((one) => one !== null) ? calls.flat() : null;
  }
  if (!isObject(value)) return null;
  const { tool_calls: list, function_call: call, ...message } = value;
  const called = list ?? call;
  if (called !== undefined)
    return isEmptyMessage(message) ? shapedCalls(called) : null;
  const { function: inner, ...outer } = value;
  if (isObject(inner)) {
    return hasOnly(outer, EXTRA_FIELDS) ? shapedCalls(inner) : null;
  }
  const one = shapedCall(value);
  return one && [one];
}

function shapedCall(value: Record<string, unknown>): ShapedCall | null {
  const { tool_name, name, function: named, ...rest } = value;
  const called = tool_name ?? name ?? named;
  const { arguments: args, parameters, ...extra } = rest;
  if (typeof called !== 'string' || called === '') return null;
  if (!hasOnly(extra, EXTRA_FIELDS)) return null;
  const given = args ?? parameters;
  if (given === undefined || isSchema(given)) return null;
  return { name: called, arguments: given };
}

/** Whether a message contains nothing besides its calls. */
function isEmptyMessage(message: Record<string, unknown>): boolean {
  const { content, role = 'assistant', ...more } = message;
  return (
    role === 'assistant' &&
    (content === undefined || content === null || content === '') &&
    Object.values(more).every((one) => one === null || typeof one === 'string')
  );
}

/** Whether it describes the arguments of a tool instead of being arguments. */
function isSchema(args: unknown): boolean {
  return isObject(args) && isObject(args.properties) && 'type' in args;
}

function hasOnly(
  value: Record<string, unknown>,
  known: ReadonlySet<string>,
): boolean {
  return Object.keys(value).every((key) => known.has(key));
}
