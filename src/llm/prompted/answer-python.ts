import { jsonrepair } from 'jsonrepair';
import { closingBracket } from './answer-brackets';

const CALL = /^\s*([\w.-]+)\s*\(/;
const ARGUMENT = /^\s*([A-Za-z_]\w*)\s*=\s*([^]+?)\s*$/;
/** A bare word would be repaired into a string that the model did not write. */
const LITERAL = /^(?:["'[{]|[-+]?\.?\d|(?:True|False|None|true|false|null)$)/;

export interface WrittenCall {
  name: string;
  arguments: Record<string, unknown>;
}

/**
 * Calls in Python syntax, `[name(key="value")]` or `name(key="value")`. Null unless every argument is named and a literal.
 */
export function pythonCalls(text: string): WrittenCall[] | null {
  const list = text.trim();
  const inner = list.startsWith('[') ? list.slice(1, -1) : list;
  const calls = split(inner).map(callIn);
  return calls.every((call) => call !== null) ? calls : null;
}

function callIn(text: string): WrittenCall | null {
  const [begin = '', name = ''] = CALL.exec(text) ?? [];
  const written = text.trimEnd();
  if (name === '' || !written.endsWith(')')) return null;
  const args: Record<string, unknown> = {};
  for (const argument of split(written.slice(begin.length, -1))) {
    const [, key, value = ''] = ARGUMENT.exec(argument) ?? [];
    if (key === undefined || !LITERAL.test(value)) return null;
    try {
      args[key] = JSON.parse(jsonrepair(value)) as unknown;
    } catch {
      return null;
    }
  }
  return { name, arguments: args };
}

/** Splits at commas outside brackets and strings. */
function split(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ('([{"\''.includes(text[at])) {
      const end = closingBracket(text, at, 'python');
      if (end === undefined) break;
      at = end - 1;
    } else if (text[at] === ',') {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  const last = text.slice(from);
  return last.trim() === '' ? parts : [...parts, last];
}
