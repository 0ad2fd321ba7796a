import { jsonrepair } from 'jsonrepair';
import {
  isObject,
  parseCallArguments,
} from '../../platform/message/call-arguments';
import type { Opening } from './answer-marks';
import { markupCall } from './answer-markup';
import { pythonCalls } from './answer-python';
import type { Section } from './answer-sections';
import { type ShapedCall, shapedCalls } from './answer-json';

/** A call that a model wrote in its answer. */
export interface PromptedCall {
  name: string;
  /** One JSON object; if there is a fault, the text as written. */
  arguments: string;
  /** What is wrong with the call, for the model to correct it. */
  fault?: string;
}

/** The names of the tools, and whether a call of an unknown tool still counts as a call. */
export interface KnownTools {
  names: ReadonlySet<string>;
  /** The native format of the call is no coincidence: the answer consists of it alone, between marks for calls. */
  certain?: boolean;
}

const NOT_JSON = 'it is not valid JSON';
const NOT_CLOSED = 'the JSON ends before it is complete';
const NO_ARGUMENTS = 'it has no "arguments"';
const NO_OBJECT = '"arguments" is not one JSON object';

/** How a call begins. Only such text is reported as a faulty call; any other JSON is left alone. */
const CALL_BEGINS = /^\[?\s*\{\s*["'“‘`]?(tool_name|arguments)["'”’`]?\s*:/;
const NAME = /tool_name["'”’`]?\s*:\s*["'“‘`]([^"'”’`]*)/;
const NATIVE_NAME =
  /^\[?\s*\{\s*"name"\s*:\s*"([^"]*)"\s*,\s*"(?:arguments|parameters)"/;

/**
 * The calls of a section of an answer. The shape decides: an object with `tool_name` and `arguments`, an array of such
 * objects, or, if it names a known tool, one of the formats that models were trained on. Anything else is ordinary text.
 */
export function callsIn(
  { kind, text, closed }: Section,
  { name }: Pick<Opening, 'name'>,
  tools: KnownTools,
): PromptedCall[] {
  const known = (calls: readonly ShapedCall[] | null) =>
    calls?.every((call) => tools.names.has(call.name) || tools.certain)
      ? calls.map(toCall)
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
    CALL_BEGINS.test(text) ||
    tools.names.has(NATIVE_NAME.exec(text)?.[1] ?? '');
  // Repairing a truncated call would execute it with incomplete arguments.
  if (!closed) return looksLikeCall ? [faultyCall(text, NOT_CLOSED)] : [];
  const value = parse(text, looksLikeCall || text.includes('tool_name'));
  if (value === undefined)
    return looksLikeCall ? [faultyCall(text, NOT_JSON)] : [];
  const requested = (Array.isArray(value) ? value : [value]).map(
    (one: unknown) => callOf(one, tools.names),
  );
  return requested.every((call) => call !== null)
    ? requested
    : known(shapedCalls(value));
}

/** Whether these are calls in the requested format, of known tools and without a fault. */
export function isRequested(
  { text }: Section,
  calls: readonly PromptedCall[],
  tools: ReadonlySet<string> | null,
): boolean {
  const isSound = ({ name, fault }: PromptedCall) =>
    fault === undefined && tools?.has(name) === true;
  return text.includes('tool_name') && calls.every(isSound);
}

/** A call in the requested format. */
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
  return toCall({ name, arguments: args });
}

function toCall({ name, arguments: args }: ShapedCall): PromptedCall {
  const object = typeof args === 'string' ? objectIn(args) : args;
  return isObject(object)
    ? { name, arguments: JSON.stringify(object) }
    : { name, arguments: JSON.stringify(args), fault: NO_OBJECT };
}

/** Some models write the arguments as a string that contains JSON. */
function objectIn(written: string): Record<string, unknown> | null {
  if (!written.trim().endsWith('}')) return null;
  return parseCallArguments(written) ?? parseCallArguments(repaired(written));
}

/** Undefined if the text is not JSON and cannot be repaired. */
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

function faultyCall(text: string, fault: string): PromptedCall {
  const [, name = ''] = NATIVE_NAME.exec(text) ?? NAME.exec(text) ?? [];
  return { name, arguments: text, fault };
}
