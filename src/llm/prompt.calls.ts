import { jsonrepair } from 'jsonrepair';
import { isObject, parseCallArguments } from '../message/call.arguments';
import { type Section, sectionsOf } from './prompt.sections';

/** A call that a model wrote into its answer. */
export interface PromptedCall {
  name: string;
  /** One JSON object, unless there is a fault: then as it was written. */
  arguments: string;
  /** What the model has to know to write it again. */
  fault?: string;
}

export interface PromptedAnswer {
  calls: PromptedCall[];
  /** What was said besides the calls. */
  text: string;
  /** What was said, calls included. */
  said: string;
  /** From `<think>` blocks: in neither of the others. */
  thinking: string;
}

const NOT_JSON = 'it is not valid JSON';
const NOT_CLOSED = 'the JSON ends before it is complete';
const NO_ARGUMENTS = 'it has no "arguments"';
const NO_OBJECT = '"arguments" is not one JSON object';

/** What a call begins with. Only what looks so is found fault with; any other JSON is left as it is. */
const CALL_BEGINS = /^\[?\s*\{\s*["'“‘`]?(tool_name|arguments)["'”’`]?\s*:/;
const NAME = /tool_name["'”’`]?\s*:\s*["'“‘`]([^"'”’`]*)/;
const THINK_TAGS = /<\/?think>/g;
const EMPTY_FENCE = /```\w*\s*```/g;

/**
 * Reads the answer of a model that was told in the prompt how to call tools. The shape decides: an object with
 * `tool_name` and `arguments`, or an array of such objects, that stands by itself in the text. JSON of any other shape is
 * an ordinary answer, whatever it holds. What the model was told by others in the same words, blanks aside, is a
 * quotation and never a call.
 * @param tools the names of those that there are.
 * @param heard what users, documents and tools said.
 */
export function readPromptedAnswer(
  answer: string,
  tools: ReadonlySet<string>,
  heard: readonly string[] = [],
): PromptedAnswer {
  const sections = sectionsOf(answer);
  const thoughts = sections.filter(({ kind }) => kind === 'thinking');
  const spoken = sections.filter(({ kind }) => kind !== 'thinking');
  const read = spoken.map((section) => {
    const calls = callsIn(section, tools);
    const isQuoted = calls.length > 0 && isQuotation(section.text, heard);
    return { section, calls: isQuoted ? [] : calls };
  });
  const said = textIn(spoken).trim();
  const calls = read.flatMap((one) => one.calls);
  const besides = read
    .filter((one) => one.calls.length === 0)
    .map(({ section }) => section);
  return {
    calls,
    text:
      calls.length === 0
        ? said
        : textIn(besides).replace(EMPTY_FENCE, '').trim(),
    said,
    thinking: textIn(thoughts).replace(THINK_TAGS, '').trim(),
  };
}

function isQuotation(text: string, heard: readonly string[]): boolean {
  const words = withoutBlanks(text);
  return heard.some((told) => withoutBlanks(told).includes(words));
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

function textIn(sections: readonly Section[]): string {
  return sections.map(({ text }) => text).join('');
}

function callsIn(
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
