import { jsonrepair } from 'jsonrepair';
import { isObject, parseCallArguments } from '../../message/call.arguments';
import type { Opening } from './answer.marks';
import { markupCall } from './answer.markup';
import { pythonCalls } from './answer.python';
import type { Section } from './answer.sections';
import { type ShapedCall, shapedCalls } from './answer.json';

/** A call that a model wrote into its answer. */
export interface PromptedCall {
  name: string;
  /** One JSON object, unless there is a fault: then as it was written. */
  arguments: string;
  /** What the model has to know to write it again. */
  fault?: string;
}

/** The tools that there are, and whether a call of another one may be taken for a call. */
export interface Offered {
  names: ReadonlySet<string>;
  /** The form of its own that a call has is no accident: it is all that the model wrote, between marks for calls. */
  certain?: boolean;
}

const NOT_JSON = 'it is not valid JSON';
const NOT_CLOSED = 'the JSON ends before it is complete';
const NO_ARGUMENTS = 'it has no "arguments"';
const NO_OBJECT = '"arguments" is not one JSON object';

/** What a call begins with. Only what looks so is found fault with; any other JSON is left as it is. */
const CALL_BEGINS = /^\[?\s*\{\s*["'“‘`]?(tool_name|arguments)["'”’`]?\s*:/;
const NAME = /tool_name["'”’`]?\s*:\s*["'“‘`]([^"'”’`]*)/;
const OWN_NAME =
  /^\[?\s*\{\s*"name"\s*:\s*"([^"]*)"\s*,\s*"(?:arguments|parameters)"/;

/**
 * The calls that a section of an answer holds. The shape decides: an object with `tool_name` and `arguments`, an array of
 * such objects, or one of the forms that models were trained on, if it names a tool that there is. Anything else is an
 * ordinary answer, whatever it holds.
 */
export function callsIn(
  { kind, text, closed }: Section,
  { name }: Pick<Opening, 'name'>,
  tools: Offered,
): PromptedCall[] {
  const known = (calls: readonly ShapedCall[] | null) =>
    calls?.every((call) => tools.names.has(call.name) || tools.certain)
      ? calls.map(made)
      : [];
  if (kind === 'markup') return closed ? known(markupCall(text)) : [];
  if (kind === 'python') return closed ? known(pythonCalls(text)) : [];
  if (kind !== 'json') return [];
  if (name !== undefined) {
    const read = closed ? objectIn(text) : null;
    if (read) return known([{ name, arguments: read }]);
    const fault = closed ? NOT_JSON : NOT_CLOSED;
    return tools.names.has(name) ? [{ name, arguments: text, fault }] : [];
  }
  const looksLikeCall =
    CALL_BEGINS.test(text) || tools.names.has(OWN_NAME.exec(text)?.[1] ?? '');
  // A repair would close what was cut off, and call the tool with half of what the model wanted.
  if (!closed) return looksLikeCall ? [broken(text, NOT_CLOSED)] : [];
  const value = parse(text, looksLikeCall || text.includes('tool_name'));
  if (value === undefined) return looksLikeCall ? [broken(text, NOT_JSON)] : [];
  const own = (Array.isArray(value) ? value : [value]).map((one: unknown) =>
    callOf(one, tools.names),
  );
  return own.every((call) => call !== null) ? own : known(shapedCalls(value));
}

/** In the form that was asked for. */
function callOf(
  value: unknown,
  tools: ReadonlySet<string>,
): PromptedCall | null {
  if (!isObject(value)) return null;
  const { tool_name: name, arguments: args, parameters } = value;
  if (typeof name !== 'string' || name === '') return null;
  if (args === undefined) {
    if (parameters !== undefined) return null;
    const isOnlyName = Object.keys(value).length === 1 && tools.has(name);
    return isOnlyName ? { name, arguments: 'null', fault: NO_ARGUMENTS } : null;
  }
  return made({ name, arguments: args });
}

function made({ name, arguments: args }: ShapedCall): PromptedCall {
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
  const [, name = ''] = OWN_NAME.exec(text) ?? NAME.exec(text) ?? [];
  return { name, arguments: text, fault };
}
