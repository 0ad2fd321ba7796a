import { agreement } from './numbers/agreement';
import { isSameWord, type Statement, type Word } from './statement';

export type Placed = Statement['quantities'][number];

/** What of a sentence was found in a quote. */
export interface Shared {
  /** Per word of the sentence, its equals in the quote. */
  readonly words: ReadonlyMap<Word, readonly Word[]>;
  /** Per number of the sentence, the one of the quote that it is. */
  readonly quantities: ReadonlyMap<Placed, Placed>;
}

export function sharedOf(sentence: Statement, quote: Statement): Shared {
  const words = new Map<Word, readonly Word[]>();
  for (const word of sentence.words) {
    const equals = quote.words.filter((other) => isSameWord(word, other));
    if (equals.length > 0) words.set(word, equals);
  }
  return { words, quantities: pairs(sentence, quote, words) };
}

/** Each number of the quote is used once, exact ones first; among equals the one in the clause with the most words of the sentence's clause. */
function pairs(
  sentence: Statement,
  quote: Statement,
  words: Shared['words'],
): Map<Placed, Placed> {
  const found = new Map<Placed, Placed>();
  const used = new Set<Placed>();
  for (const wanted of ['same', 'rounded'] as const)
    for (const stated of sentence.quantities) {
      if (found.has(stated)) continue;
      const near = (quoted: Placed): number =>
        commonWords(
          sentence,
          stated,
          words,
          (word) => word.clause === quoted.clause,
        );
      const [best] = quote.quantities
        .filter(
          (quoted) => !used.has(quoted) && agreement(stated, quoted) === wanted,
        )
        .sort((left, right) => near(right) - near(left));
      if (best === undefined) continue;
      found.set(stated, best);
      used.add(best);
    }
  return found;
}

function commonWords(
  sentence: Statement,
  stated: Placed,
  words: Shared['words'],
  isNear: (word: Word) => boolean,
): number {
  return sentence.words.filter(
    (word) => word.clause === stated.clause && words.get(word)?.some(isNear),
  ).length;
}

/** The share of the sentence that the quote has, 0 to 1. */
export function overlapOf(sentence: Statement, shared: Shared): number {
  const all = sentence.words.length + sentence.quantities.length;
  return all === 0 ? 0 : (shared.words.size + shared.quantities.size) / all;
}
