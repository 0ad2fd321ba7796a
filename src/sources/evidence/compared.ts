import { fold } from './fold';

/** A sentence and what it is compared with. Only texts of pages: no model's wording is evidence. */
export interface Compared {
  sentence: string;
  /** Titles, headings and dates of the pages of the quotes. */
  heading: string;
  /** The sentences before the quotes. */
  before: string;
  quotes: readonly string[];
}

/** Longer sentences are not compared. */
export const MAX_SENTENCE_CHARS = 2_000;
/** Of each quote, and of all headings and all sentences before. */
const MAX_CHARS = 2_000;
const MAX_QUOTES = 24;
/** Of all of them. What is longer is searched for copies and passages alone. */
const MAX_TOTAL = 16_000;

/** The same within bounds, so that no input makes a long comparison. */
export function bounded({
  sentence,
  heading,
  before,
  quotes,
}: Compared): Compared {
  const cut = (text: string): string => text.slice(0, MAX_CHARS).toWellFormed();
  return {
    sentence: cut(sentence),
    heading: cut(heading),
    before: cut(before),
    quotes: quotes.slice(0, MAX_QUOTES).map(cut),
  };
}

/** Whether everything is short enough that what stands nowhere in it is missing. */
export function isWhole({
  sentence,
  heading,
  before,
  quotes,
}: Compared): boolean {
  const all = [heading, before, ...quotes];
  const total = all.reduce((sum, one) => sum + one.length, 0);
  return (
    total <= MAX_TOTAL &&
    quotes.length <= MAX_QUOTES &&
    [sentence, ...all].every(({ length }) => length <= MAX_CHARS)
  );
}

/** Everything that may support the sentence, as one text. */
export function evidenceOf({ heading, before, quotes }: Compared): string {
  return [heading, before, ...quotes].join('\n');
}

const folds = new WeakMap<Compared, string>();

/** The evidence, within bounds, as `stands` looks it up. */
export function foldedEvidence(given: Compared): string {
  const known = folds.get(given) ?? fold(evidenceOf(bounded(given))).text;
  folds.set(given, known);
  return known;
}

/** Whether a passage stands in a text, but for case, white space, quotation marks, hyphens and Unicode forms. */
export function stands(passage: string, folded: string): boolean {
  const wanted = fold(passage).text.trim();
  return wanted !== '' && folded.includes(wanted);
}
