import type { Quantity } from './numbers/quantity';
import { overlapOf, type Shared } from './shared';
import type { Statement, Word } from './statement';

const MIN_OVERLAP = 0.7;

/** One language: names and subject must be there, every word beside a number that is not computed, and seven tenths of all. */
export function uncoveredWords(
  sentence: Statement,
  shared: Shared,
  computed: ReadonlySet<Quantity>,
): string | undefined {
  const isOpen = (word: Word): boolean => !shared.words.has(word);
  const [first] = sentence.words;
  const numbered = new Set(
    computed.size > 0 ? [] : sentence.quantities.map(({ clause }) => clause),
  );
  const last = sentence.words.at(-1);
  const open = sentence.words.filter(
    (word) =>
      isOpen(word) &&
      (word === first ||
        word.isName ||
        word.isTopic ||
        word.concepts.some((concept) => concept.startsWith('scope:')) ||
        word.text.endsWith('est') ||
        (numbered.has(word.clause) &&
          !(sentence.language === 'ko' && word === last))),
  );
  if (open.length > 0)
    return `The quote does not have ${listed(open.map(({ text }) => text))}.`;
  const isEnough =
    overlapOf(sentence, shared) >= MIN_OVERLAP &&
    shared.words.size + shared.quantities.size >= 2;
  return isEnough ? undefined : 'Too few of its words are in the quote.';
}

/** Two languages have only numbers, dates and Latin names in common: two of them, one a name, and none that is missing. */
export function uncoveredNames(
  sentence: Statement,
  shared: Shared,
): string | undefined {
  const names = sentence.words.filter(
    (word) => word.isName || (word.isFirst && /^\p{Lu}/u.test(word.text)),
  );
  const open = names.filter((word) => !shared.words.has(word));
  if (open.length > 0)
    return `The quote does not have ${listed(open.map(({ text }) => text))}.`;
  const distinct = new Set(names.map(({ stem }) => stem)).size;
  const isEnough = distinct >= 1 && distinct + shared.quantities.size >= 2;
  return isEnough
    ? undefined
    : 'The quote is in another language, and too few names and numbers are in both.';
}

export function listed(texts: readonly string[]): string {
  return texts
    .slice(0, 5)
    .map((text) => `"${text.trim()}"`)
    .join(', ');
}
