import { jsonrepair } from 'jsonrepair';
import { isObject, parseCallArguments } from '../message/call.arguments';
import type { Section } from './prompt.sections';

/** A call that a model wrote into its answer. */
export interface PromptedCall {
  name: string;
  /** One JSON object, unless there is a fault: then as it was written. */
  arguments: string;
  /** What the model has to know to write it again. */
  fault?: string;
}

const NOT_JSON = 'it is not valid JSON';
const NOT_CLOSED = 'the JSON ends before it is complete';
const NO_ARGUMENTS = 'it has no "arguments"';
const NO_OBJECT = '"arguments" is not one JSON object';

/** What a call begins with. Only what looks so is found fault with; any other JSON is left as it is. */
const CALL_BEGINS = /^\[?\s*\{\s*["'“‘`]?(tool_name|arguments)["'”’`]?\s*:/;
const NAME = /tool_name["'”’`]?\s*:\s*["'“‘`]([^"'”’`]*)/;

/**
 * The calls that a section of an answer holds. The shape decides: an object with `tool_name` and `arguments`, or an array
 * of such objects, that stands by itself in the text. JSON of any other shape is an ordinary answer, whatever it holds.
 * @param tools the names of those that there are.
 */
export function callsIn(
  { kind, text, closed }: Section,
  tools: ReadonlySet<string>,
): PromptedCall[] {
  if (kind !== 'json') return [];
  const looksLikeCall = CALL_BEGINS.test(text);
  // A repair would close what was cut off, and call the tool with half of what the model wanted.
  if (!closed) return looksLikeCall ? [broken(text, NOT_CLOSED)] : [];
  const value = parse(text, text.includes('tool_name'));
  if (value === undefined) return looksLikeCall ? [broken(text, NOT_JSON)] : [];
  const calls = (Array.isArray(value) ? value : [value]).map((one: unknown) =>
    callOf(one, tools),
  );
  return calls.every((call) => call !== null) ? calls : [];
}

function callOf(
  value: unknown,
  tools: ReadonlySet<string>,
): PromptedCall | null {
  if (!isObject(value)) return null;
  const { tool_name: name, arguments: args } = value;
  if (typeof name !== 'string' || name === '') return null;
  if (args === undefined) {
    const isOnlyName = Object.keys(value).length === 1 && tools.has(name);
    return isOnlyName ? { name, arguments: 'null', fault: NO_ARGUMENTS } : null;
  }
  const object = typeof args === 'string' ? objectIn(args) : args;
  return isObject(object)
    ? { name, arguments: JSON.stringify(object) }
    : { name, arguments: JSON.stringify(args), fault: NO_OBJECT };
}

/** Some models write the arguments as a text that is JSON in turn. */
function objectIn(written: string): Record<string, unknown> | null {
  if (!written.trim().endsWith('}')) return null;
  return parseCallArguments(written) ?? parseCallArguments(repaired(written));
}

/** Undefined if it is not JSON, nor can be made JSON. */
function parse(text: string, repair: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return repair ? parse(repaired(text), false) : undefined;
  }
}

function repaired(text: string): string {
  try {
    return jsonrepair(text);
  } catch {
    return text;
  }
}

function broken(text: string, fault: string): PromptedCall {
  return { name: NAME.exec(text)?.[1] ?? '', arguments: text, fault };
}
