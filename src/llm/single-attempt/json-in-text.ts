import { jsonrepair } from 'jsonrepair';
import { closingBracket } from '../prompted/answer-brackets';

/** Longer texts are not searched. */
const MAX_CHARS = 200_000;
/** Places at which JSON may begin. */
const MAX_PLACES = 20;
/** Fields of a wrapping. */
const MAX_FIELDS = 5;
/** Brackets without an end: from each, the text is scanned to its end. */
const MAX_UNCLOSED = 3;
/** Brackets of prose, links and formulas do not match. */
const BEGINS = /[{[](?=\s*(?:["'“{[\]}]|[a-z_]+\s*:))/gi;
const TRAILING_FENCE = /\s*`{3,}\s*$/;

/**
 * The JSON object or list in the answer of a model: alone, in a code fence, or after an introduction. Small mistakes, such
 * as trailing commas or quotes that are not escaped, are repaired.
 * @param whole false for an answer that was cut off: JSON without an end is then not completed.
 * @param fits preferred where several values are found.
 */
export function jsonInText(
  text: string,
  whole: boolean,
  fits: (value: object) => boolean,
): object | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const answer = text.trim().replace(TRAILING_FENCE, '');
  let first: object | undefined;
  for (const { json, closed } of candidatesIn(answer)) {
    const value = parse(json) ?? (closed || whole ? repaired(json) : undefined);
    const fitting = value && [value, ...wrappedIn(value)].find(fits);
    if (fitting) return fitting;
    first ??= value;
  }
  return first;
}

function* candidatesIn(
  text: string,
): Generator<{ json: string; closed: boolean }> {
  let from = 0;
  let unclosed = 0;
  for (let places = 0; places < MAX_PLACES; places += 1) {
    BEGINS.lastIndex = from;
    const begin = BEGINS.exec(text)?.index;
    if (begin === undefined) return;
    const end = closingBracket(text, begin);
    yield { json: text.slice(begin, end), closed: end !== undefined };
    if (end === undefined) unclosed += 1;
    if (unclosed === MAX_UNCLOSED) return;
    from = end ?? begin + 1;
  }
}

/** What a value is a mere wrapping of: a list of one, or the value of a field such as the name of the schema; twice at most. */
function wrappedIn(value: object, depth = 2): object[] {
  if (depth === 0 || (Array.isArray(value) && value.length !== 1)) return [];
  const inner = Object.values(value)
    .slice(0, MAX_FIELDS)
    .filter((one): one is object => typeof one === 'object' && one !== null);
  return inner.flatMap((one) => [one, ...wrappedIn(one, depth - 1)]);
}

function parse(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function repaired(text: string): object | undefined {
  try {
    return parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}
