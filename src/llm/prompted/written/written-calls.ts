import { jsonrepair } from 'jsonrepair';
import { closingBracket } from '../answer-brackets';
import { pythonCalls } from '../answer-python';
import type { OfferedTools } from './offered-tools';
import { jsonCalls, type OfferedCall } from './written-json';
import { markupCalls } from './written-markup';

/** Longer answers are no calls. */
const MAX_CHARS = 32_000;
/** Within so many characters, a call has named its tool. */
const NAME_WITHIN = 400;
/** A thought that precedes a labelled call is longer. */
const LABEL_WITHIN = 1_000;
/** The first labels of the notations that have labels. */
const LABELS = ['thought', 'action', 'tool', 'function', 'question'];
const FENCE = /^(`{3,})[\w-]*\n/;
/** `Action: x`, `**Tool:** x` */
const LABEL = /^[ \t]*[*_#>-]*[ \t]*([A-Za-z][\w ]{0,24}?)[*_]*:[*_]*[ \t]*/gm;
/** What a model goes on to invent. */
const OBSERVATION = /^\W*(?:observation|result|output|response)\b/i;
const MARK = String.raw`(?:<[^<>\s]{1,60}>|\[/?[A-Z_]{1,30}\])`;
const FIRST_MARK = new RegExp(`^\\s*${MARK}\\s*`);
const LAST_MARK = new RegExp(`\\s*${MARK}$`);
const MAX_MARKS = 6;
const MAX_CALLS = 20;

/**
 * The calls that a whole answer is, in whatever notation: JSON, markup, Python or labelled lines. Null unless nothing else
 * is in it, each names an offered tool, and its arguments fit: anything else is an answer.
 */
export function writtenCalls(
  answer: string,
  tools: OfferedTools,
): OfferedCall[] | null {
  const text = unfenced(answer.trim());
  if (text === '' || text.length > MAX_CHARS) return null;
  const bare = unfenced(unmarked(text));
  return (
    inJson(bare, tools) ??
    inPython(bare, tools) ??
    markupCalls(text, tools) ??
    inLabels(text, tools)
  );
}

/** Whether an answer that begins like this may yet become such calls: until then none of it is shown. */
export function mayBecomeCalls(start: string, tools: OfferedTools): boolean {
  const text = start.trimStart();
  if (text === '') return true;
  if (text.length > MAX_CHARS) return false;
  const names = [...tools.names];
  const bare = text.replace(/^(?:`{3,}[\w-]*\s*|[[(]+\s*|print\(\s*)+/, '');
  if (names.some((name) => name.startsWith(bare) || bare.startsWith(name)))
    return text.length < NAME_WITHIN || /^[\w.-]+\s*\(/.test(bare);
  const isNamed = names.some((name) => text.includes(name));
  if (/^[`{[<]/.test(text)) return isNamed || text.length < NAME_WITHIN;
  const word = /^[\W_]*([a-z]*)/i.exec(text)![1].toLowerCase();
  if (!LABELS.some((one) => begins(one, word, text))) return false;
  return text.length < LABEL_WITHIN || labelled(text, tools) !== undefined;
}

/** Whether a text begins with the label, or with the beginning of it. */
function begins(label: string, word: string, text: string): boolean {
  if (/^[\W_]*[a-z]*$/i.test(text)) return label.startsWith(word);
  return word === label && /^[\W_]*\w+[\w ]{0,24}(?:[*_]*:|$)/.test(text);
}

function unfenced(text: string): string {
  const [opening = '', ticks = ''] = FENCE.exec(text) ?? [];
  const isFenced = ticks !== '' && text.endsWith(ticks);
  return isFenced && text.length >= opening.length + ticks.length
    ? text.slice(opening.length, -ticks.length).trim()
    : text;
}

/** Without the marks at its beginning and its end. */
function unmarked(text: string): string {
  let bare = text.trim();
  for (let marks = 0; marks < MAX_MARKS; marks += 1)
    bare = bare.replace(FIRST_MARK, '').replace(LAST_MARK, '').trimEnd();
  return bare;
}

/** One value, or several with nothing but white space, commas and marks between them. */
function inJson(text: string, tools: OfferedTools): OfferedCall[] | null {
  const calls: OfferedCall[] = [];
  let rest = text;
  while (rest !== '') {
    if (!/^[{[]/.test(rest) || calls.length > MAX_CALLS) return null;
    const end = closingBracket(rest, 0);
    const found = end === undefined ? null : readJson(rest.slice(0, end));
    const read = jsonCalls(found, tools);
    if (!read) return null;
    calls.push(...read);
    rest = unmarked(rest.slice(end)).replace(/^[\s,;]+/, '');
  }
  return calls.length > 0 ? calls : null;
}

function inPython(text: string, tools: OfferedTools): OfferedCall[] | null {
  const calls = /^[[\w]/.test(text) ? pythonCalls(printed(text)) : null;
  if (!calls || calls.length === 0) return null;
  const fitting = calls.map(({ name, arguments: args }) => {
    const known = tools.named(name);
    const fit = known === undefined ? null : tools.fit(known, args);
    return fit && { name: known!, arguments: fit };
  });
  return fitting.every((one) => one !== null) ? fitting : null;
}

function printed(text: string): string {
  return /^print\(([^]*)\)$/.exec(text)?.[1] ?? text;
}

/** `Thought: …`, `Action: x`, `Action Input: {…}`, and perhaps an observation that the model invented. */
function inLabels(text: string, tools: OfferedTools): OfferedCall[] | null {
  const found = labelled(text, tools);
  if (!found) return null;
  const { name, rest } = found;
  const [label] = rest.matchAll(LABEL);
  if (label?.index !== 0) {
    const args = rest === '' ? tools.fit(name, {}) : null;
    return args && [{ name, arguments: args }];
  }
  const value = unfenced(rest.slice(label[0].length).trim());
  if (value.startsWith('{')) {
    const end = closingBracket(value, 0);
    const after = end === undefined ? value : value.slice(end);
    const isEnd = /^[\s`]*$/.test(after) || OBSERVATION.test(after);
    const args = isEnd && tools.fit(name, readJson(value.slice(0, end)));
    return args ? [{ name, arguments: args }] : null;
  }
  const [line, ...more] = value.split('\n');
  const after = more.join('\n').trim();
  if (after !== '' && !OBSERVATION.test(after)) return null;
  const given = line.trim().replace(/^(["'`])([^]*)\1$/, '$2');
  const args = tools.fitText(name, given);
  return args && [{ name, arguments: args }];
}

/** The first labelled line that names a tool, in a text that begins with a label. */
function labelled(
  text: string,
  tools: OfferedTools,
): { name: string; rest: string } | undefined {
  let isFirst = true;
  for (const { 0: label, index } of text.matchAll(LABEL)) {
    if (isFirst && index !== 0) return undefined;
    isFirst = false;
    const from = index + label.length;
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? undefined : end);
    const name = tools.named(line);
    if (name !== undefined)
      return { name, rest: end < 0 ? '' : text.slice(end).trim() };
  }
  return undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(jsonrepair(text));
    } catch {
      return undefined;
    }
  }
}
