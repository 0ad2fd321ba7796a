import { tokensOf, withoutParticle } from '../corpus/tokens';

const LONGEST_QUOTE = 400;
const SHORTEST_SENTENCE = 12;
const ENDED = /[.!?。！？]["'”’)\]]*$/;
/** What a page says to its reader and not about its subject. */
export const ORDER =
  /\b(ignore|disregard|forget)\b[^.!?\n]{0,40}\b(instructions?|prompts?)\b|지시(를|는|사항을)?\s*(모두\s*)?(무시|잊)/i;

/** Whether a line of a page is a sentence: headings and menus do not end as sentences do. */
export const isSentence = (text: string): boolean =>
  text.length >= SHORTEST_SENTENCE &&
  text.length <= LONGEST_QUOTE &&
  ENDED.test(text);

export const shared = (text: string, terms: ReadonlySet<string>): number =>
  new Set(tokensOf(text).filter((token) => terms.has(token))).size;

export const termsOf = (...texts: string[]): Set<string> =>
  new Set(tokensOf(texts.join('\n')));

/** The words of a question that say what it is about, as a query. */
export function keywordsOf(text: string): string {
  const words = text
    .split(/[\s,;:?!()"“”'‘’「」]+/)
    .map((word) => withoutParticle(word.replace(/[.]+$/, '')))
    .filter((word) => tokensOf(word).some((token) => token.length > 1));
  return [...new Set(words)].join(' ');
}

/** A quote as a sentence of a report: one line, without list signs and reference marks. */
export const cleaned = (quote: string): string =>
  quote
    .replace(/\s+/g, ' ')
    .replace(/^[-*•·#>\s]+/, '')
    .replace(/\s*\[\d{1,3}\]/g, '')
    .trim();

/** In the order of first appearance. */
export function groupBy<T>(
  items: readonly T[],
  key: (item: T) => string,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
