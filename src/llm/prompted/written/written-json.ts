import { isObject } from '../../../platform/message/call-arguments';
import { EXTRA_FIELDS, shapedCalls } from '../answer-json';
import type { OfferedTools } from './offered-tools';

/** A call of an offered tool, with arguments that fit it. */
export interface OfferedCall {
  name: string;
  arguments: Record<string, unknown>;
}

const MAX_DEPTH = 4;
const MAX_CALLS = 20;
/** The field that holds nothing but calls. */
const LIST = /(?:call|use|action|tool|function|invocation)s$/i;

/**
 * The calls that a JSON value is, whatever its fields are called: one of them holds the name of an offered tool, and
 * another its arguments, or the others are its arguments. Null for any other value.
 */
export function jsonCalls(
  value: unknown,
  tools: OfferedTools,
  depth = 0,
): OfferedCall[] | null {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    if (value.length === 0 || value.length > MAX_CALLS) return null;
    const calls = value.map((one) => jsonCalls(one, tools, depth + 1));
    return calls.every((one) => one !== null) ? calls.flat() : null;
  }
  if (!isObject(value)) return null;
  const shaped = shapedCalls(value)?.map(({ name, arguments: args }) =>
    callOf(tools.named(name), args, tools),
  );
  if (shaped?.every((one) => one !== null)) return shaped;
  const call = namedCall(value, tools) ?? keyedCall(value, tools);
  if (call) return [call];
  const [[key, list] = [], ...more] = Object.entries(value);
  return more.length === 0 && Array.isArray(list) && LIST.test(key!)
    ? jsonCalls(list, tools, depth + 1)
    : null;
}

/** `{"tool": "x", "input": {…}}`, or with the arguments beside the name. */
function namedCall(
  value: Record<string, unknown>,
  tools: OfferedTools,
): OfferedCall | null {
  const fields = Object.entries(value);
  for (const [key, written] of fields) {
    const name = tools.named(written);
    if (name === undefined) continue;
    const rest = fields.filter(
      ([other]) => other !== key && !EXTRA_FIELDS.has(other),
    );
    if (rest.length === 0) continue;
    const [[, only], ...more] = rest;
    const isEmpty = only === null || only === '';
    const call =
      (more.length === 0 && callOf(name, isEmpty ? {} : only, tools)) ||
      callOf(name, Object.fromEntries(rest), tools);
    if (call) return call;
  }
  return null;
}

/** `{"x": {…}}` */
function keyedCall(
  value: Record<string, unknown>,
  tools: OfferedTools,
): OfferedCall | null {
  const [[key, args] = [], ...more] = Object.entries(value);
  return more.length === 0 ? callOf(tools.named(key), args, tools) : null;
}

function callOf(
  name: string | undefined,
  args: unknown,
  tools: OfferedTools,
): OfferedCall | null {
  const fitting = name === undefined ? null : tools.fit(name, args);
  return fitting && { name: name!, arguments: fitting };
}
