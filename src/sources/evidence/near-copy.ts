import { fold } from './fold';
import { numeralsOf } from './numbers';

/** A word of a quote that joins it to what stands before, and that a sentence may leave out. */
const LEADING = /^(?:(?:and|also|however),? |(?:또한|그러나),? )/;
const END = /[.!?。！？]['"”’)\]]?$/;
/** A short Latin word with a capital and a period is no end: "Dr.", "No.", "U.S.". */
const ABBREVIATED = /(?:^|[\s(.])\p{Lu}\p{Script=Latin}{0,3}\.$/u;

/** Whether the sentence is one whole sentence of a quote, or several that follow each other, but for form. */
export function isWholeSentence(
  sentence: string,
  quotes: readonly string[],
): boolean {
  const wanted = bare(fold(sentence).text.trim());
  return (
    /\p{L}/u.test(wanted) && quotes.some((quote) => standsWhole(wanted, quote))
  );
}

function standsWhole(wanted: string, quote: string): boolean {
  const { text, starts } = fold(quote);
  let at = text.indexOf(wanted);
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries += 1) {
    const end = at + wanted.length;
    const isWhole =
      begins(quote, text, starts, at) && ends(quote, text, starts, end);
    if (isWhole) return true;
    at = text.indexOf(wanted, at + 1);
  }
  return false;
}

const MAX_TRIES = 8;
const bare = (text: string): string => text.replace(/[.。]$/, '');

function begins(
  quote: string,
  text: string,
  starts: Int32Array,
  at: number,
): boolean {
  const before = quote.slice(0, starts[at]);
  if (isEdge(before)) return true;
  const head = /(?:and|also|however|또한|그러나),? $/.exec(
    text.slice(Math.max(0, at - 10), at),
  )?.[0];
  return (
    head !== undefined &&
    LEADING.test(head) &&
    isEdge(quote.slice(0, starts[at - head.length]))
  );
}

/** The beginning of a text, or what stands after a sentence or on a line of its own. */
function isEdge(before: string): boolean {
  const trimmed = before.slice(-200).trimEnd();
  const gap = before.slice(before.trimEnd().length);
  if (trimmed === '' || gap.includes('\n')) return true;
  return gap !== '' && END.test(trimmed) && !ABBREVIATED.test(trimmed);
}

function ends(
  quote: string,
  text: string,
  starts: Int32Array,
  end: number,
): boolean {
  const rest = text.slice(end);
  const mark = /^[.。!?！？]?['"”’)\]]?/.exec(rest)![0];
  const after = quote.slice(starts[end + mark.length]);
  if (after.trim() === '') return !/[?？]/.test(mark);
  if (/^[^\S\n]*\n/.test(after)) return !/[?？]/.test(mark);
  const isMarked = /[.。]/.test(mark) || END.test(text.slice(0, end));
  const head = quote.slice(0, starts[end + mark.length]);
  return isMarked && /^\s/.test(after) && !ABBREVIATED.test(head.slice(-20));
}

export interface Edit {
  verdict: 'number_differs' | 'text_differs';
  detail: string;
}

const TOKEN =
  /\p{N}+(?:[.,:]\p{N}+)*[\p{L}\p{M}%]*|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)?/gu;
/** Of both texts, at least so many words must be there. */
const MIN_TOKENS = 5;
/** Of a sentence, the words that may differ from the quote's. */
const MAX_EDITED = 3;
const NEGATION =
  /^(?:not|no|never|none|neither|cannot|without|.*n['’]t)$|않|없|못|아니|아닌|아닙/;
const OPPOSITES = new Map(
  [
    'if unless',
    'before after',
    'above below',
    'with without',
    'more less',
    'more fewer',
    'all none',
    'always never',
    'least most',
    '이상 이하',
    '이전 이후',
    '초과 미만',
  ]
    .flatMap((pair) => {
      const [left, right] = pair.split(' ');
      return [`${left} ${right}`, `${right} ${left}`];
    })
    .map((pair) => [pair, true]),
);

/**
 * What was changed in a copy of a whole sentence of the quote: a few words in one place, where a number stands for another, a
 * negation on one side only, or a word for its opposite. Other changes are no business of a comparison.
 */
export function editIn(sentence: string, quote: string): Edit | undefined {
  if (sentence.length > MAX_COPY) return undefined;
  const stated = tokensOf(sentence);
  if (stated.length < MIN_TOKENS) return undefined;
  for (const part of quote.split(SENTENCE_END)) {
    if (Math.abs(part.length - sentence.length) > MAX_EDIT) continue;
    const found = change(stated, tokensOf(part));
    if (found) return found;
  }
  return undefined;
}

/** Of a sentence that is compared as a copy, and of what may be longer or shorter in it: UTF-16 units. */
const MAX_COPY = 400;
const MAX_EDIT = 40;
const SENTENCE_END = /(?<=[.!?。！？]["'”’)]?)\s+|\n/;

function tokensOf(text: string): string[] {
  return fold(text).text.match(TOKEN) ?? [];
}

function change(
  stated: readonly string[],
  quoted: readonly string[],
): Edit | undefined {
  const shorter = Math.min(stated.length, quoted.length);
  let head = 0;
  while (head < shorter && stated[head] === quoted[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && stated.at(-1 - tail) === quoted.at(-1 - tail))
    tail += 1;
  const [left, right] = [stated, quoted].map((all) =>
    all.slice(head, all.length - tail),
  );
  const most = Math.max(left.length, right.length);
  if (most === 0 || most > MAX_EDITED || head + tail < 2 * most)
    return undefined;
  const [said, found] = [left.join(' '), right.join(' ')];
  const detail =
    found === '' ? said : `${said || '…'} (in the quote: ${found})`;
  if (isOtherNumber(left, right)) return { verdict: 'number_differs', detail };
  const negations = (all: readonly string[]): number =>
    all.filter((one) => NEGATION.test(one)).length;
  const isDropped =
    negations(left) !== negations(right) &&
    (left.length === 0 || right.length === 0 || left.length === right.length);
  const isOpposite = OPPOSITES.has(`${said} ${found}`);
  return isDropped || isOpposite
    ? { verdict: 'text_differs', detail }
    : undefined;
}

/** The words differ in their numbers alone, and not by rounding. */
function isOtherNumber(
  left: readonly string[],
  right: readonly string[],
): boolean {
  const words = (all: readonly string[]): string =>
    all.join(' ').replace(/[\p{N}.,]+/gu, '#');
  if (words(left) !== words(right) || !words(left).includes('#')) return false;
  const [stated, quoted] = [left, right].map((all) =>
    numeralsOf(all.join(' ')),
  );
  return stated.some(
    ({ value, step }, at) =>
      Math.abs(value - (quoted[at]?.value ?? value)) > step / 2,
  );
}
