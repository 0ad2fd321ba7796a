import { clusterEnd } from './fold';

/** A quote is evidence, not a copy of the page. */
export const MAX_QUOTE_CHARS = 400;
/** Longer requests are no quotes, and are not searched for. */
export const MAX_REQUEST_CHARS = 4_000;
/** Folded characters; fewer stand on any page by chance. */
export const MIN_QUOTE_CHARS = 8;

/** Marks that models put around a quote and that the page does not have. */
export function bareQuote(quote: string): string {
  return quote
    .trim()
    .replace(/^(?:["'“‘«「『]|…|\.{3}|\s){1,8}/, '')
    .trim();
}

/** The end of the last whole sentence within the limit; undefined where the first sentence is longer. */
export function cutEnd(
  page: string,
  start: number,
  end: number,
): number | undefined {
  if (end - start <= MAX_QUOTE_CHARS) return end;
  const head = page.slice(start, start + MAX_QUOTE_CHARS + 1);
  const ends = [...head.matchAll(/[.!?。！？]["'”’)\]]?(?=\s)|\n/g)].filter(
    ({ index }) => index >= MIN_QUOTE_CHARS,
  );
  const last = ends.at(-1);
  return last && start + last.index + last[0].trimEnd().length;
}

/**
 * Whether a passage of the page begins and ends between words and numbers. "5 %" within "15 %", "able" within
 * "unable" and "5" of "5 million" are other statements than the page's.
 */
export function isWhole(page: string, start: number, end: number): boolean {
  const before = page.slice(Math.max(0, start - 4), start).normalize('NFC');
  const after = page.slice(end, end + 24).normalize('NFC');
  const last = page.slice(lastClusterStart(page, start, end), end);
  const first = page.slice(start, clusterEnd(page, start));
  return !joined(before, first, last, after);
}

function joined(
  before: string,
  first: string,
  last: string,
  after: string,
): boolean {
  const inWord = (left: string, right: string): boolean =>
    LETTER_END.test(left) && LETTER_START.test(right);
  if (inWord(before, first) || inWord(last, after)) return true;
  if (
    /^\p{N}/u.test(first) &&
    /(?:\p{N}[.,'’:/]?|(?:^|[\s(])[-−–+])$/u.test(before)
  )
    return true;
  return (
    /\p{N}$/u.test(last) &&
    /^(?:[.,'’:/]?\p{N}|\s?(?:[%％‰°℃천만억조]|퍼센트|per ?cent|(?:hundred|thousand|million|billion|trillion)\b))/iu.test(
      after,
    )
  );
}

/** Scripts that put spaces between words; Han, Kana and Thai do not. */
const LETTER = String.raw`[\p{Script=Latin}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]`;
const LETTER_END = new RegExp(`${LETTER}\\p{M}*$`, 'u');
const LETTER_START = new RegExp(`^${LETTER}`, 'u');

function lastClusterStart(page: string, start: number, end: number): number {
  let at = Math.max(start, end - 1);
  while (
    at > start &&
    end - at < 8 &&
    /^[\p{M}\u1160-\u11ff\udc00-\udfff]/u.test(page.slice(at))
  )
    at -= 1;
  return at;
}
