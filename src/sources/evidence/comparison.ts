import { listed, uncoveredNames, uncoveredWords } from './coverage';
import { agreement } from './numbers/agreement';
import type { Quantity } from './numbers/quantity';
import { polarityFault } from './polarity';
import { overlapOf, sharedOf } from './shared';
import type { Statement } from './statement';
import { subjectFault } from './subject';

export interface Comparison {
  readonly fault?: 'number_differs' | 'polarity_differs' | 'unanchored';
  readonly detail?: string;
  readonly isRounded: boolean;
  /** Numbers of the sentence that the quote does not have. */
  readonly missing: readonly Quantity[];
  /** The share of the sentence that the quote has, 0 to 1. */
  readonly overlap: number;
}

const RELATED = 0.5;

/**
 * Compares in the order: numbers, polarity, then names and words. `computed` numbers are taken as found: they were
 * computed from the quote.
 */
export function compare(
  sentence: Statement,
  quote: Statement,
  computed: ReadonlySet<Quantity> = new Set(),
): Comparison {
  const shared = sharedOf(sentence, quote);
  const missing = sentence.quantities.filter(
    (one) => !shared.quantities.has(one) && !computed.has(one),
  );
  const overlap = overlapOf(sentence, shared);
  const isRounded = [...shared.quantities].some(
    ([stated, quoted]) => agreement(stated, quoted) === 'rounded',
  );
  const as = (fault: Comparison['fault'], detail: string): Comparison => ({
    fault,
    detail,
    isRounded,
    missing,
    overlap,
  });
  if (sentence.language === 'other' || quote.language === 'other')
    return as('unanchored', 'Only Korean and English can be compared.');
  if (missing.length > 0)
    return as(
      'number_differs',
      `The quote does not have ${listed(missing.map((one) => sentence.text.slice(one.start, one.end)))}.`,
    );
  const subject = subjectFault(sentence, quote, shared);
  if (subject?.isClear) return as('number_differs', subject.detail);
  const polarity = polarityFault(sentence, quote, shared);
  if (polarity && overlap >= RELATED) return as('polarity_differs', polarity);
  const open =
    polarity ??
    subject?.detail ??
    (sentence.language === quote.language
      ? uncoveredWords(sentence, shared, computed)
      : uncoveredNames(sentence, shared));
  return open === undefined && overlap > 0
    ? { isRounded, missing, overlap }
    : as('unanchored', open ?? 'Nothing in it can be compared.');
}
