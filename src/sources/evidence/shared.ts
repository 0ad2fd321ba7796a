import { agreement } from './numbers/agreement';
import { isSameWord, type Statement, type Word } from './statement';

export type Placed = Statement['quantities'][number];

/** What of a sentence was found in a quote. */
export interface Shared {
  /** Per word of the sentence, its equals in the quote. */
  readonly words: ReadonlyMap<Word, readonly Word[]>;
  /** Words of the quote that are the equal of one. */
  readonly known: ReadonlySet<Word>;
  /** Per number of the sentence, the one of the quote that it is. */
  readonly quantities: ReadonlyMap<Placed, Placed>;
  /** Pairs of words and of numbers. */
  readonly size: number;
}

/** @throws TooMuchToCompare */
export function sharedOf(sentence: Statement, quote: Statement): Shared {
  const { steps } = sentence;
  const words = new Map<Word, readonly Word[]>();
  let size = 0;
  for (const word of sentence.words) {
    steps.take(quote.stepsPerWord);
    const equals = quote.words.filter((other) => isSameWord(word, other));
    if (equals.length > 0) words.set(word, equals);
    size += equals.length;
  }
  const quantities = pairs(sentence, quote, words);
  const known = new Set([...words.values()].flat());
  return { words, known, quantities, size: size + quantities.size };
}

/** Each number of the quote is used once, exact ones first; among equals the one in the clause with the most words of the sentence's clause. */
function pairs(
  sentence: Statement,
  quote: Statement,
  words: Shared['words'],
): Map<Placed, Placed> {
  const found = new Map<Placed, Placed>();
  const used = new Set<Placed>();
  const common = commonWords(words);
  for (const wanted of ['same', 'rounded'] as const)
    for (const stated of sentence.quantities) {
      if (found.has(stated)) continue;
      sentence.steps.take(quote.quantities.length);
      const near = common.get(stated.clause);
      let [best, most]: [Placed | undefined, number] = [undefined, -1];
      for (const quoted of quote.quantities) {
        const count = near?.get(quoted.clause) ?? 0;
        if (count <= most || used.has(quoted)) continue;
        if (agreement(stated, quoted) !== wanted) continue;
        [best, most] = [quoted, count];
      }
      if (best === undefined) continue;
      found.set(stated, best);
      used.add(best);
    }
  return found;
}

/** How many words of a clause of the sentence stand in a clause of the quote: by the one, then by the other. */
function commonWords(words: Shared['words']): Map<number, Map<number, number>> {
  const counts = new Map<number, Map<number, number>>();
  for (const [{ clause }, equals] of words) {
    const near = counts.get(clause) ?? new Map<number, number>();
    counts.set(clause, near);
    for (const other of new Set(equals.map((one) => one.clause)))
      near.set(other, (near.get(other) ?? 0) + 1);
  }
  return counts;
}

/** The share of the sentence that the quote has, 0 to 1. */
export function overlapOf(sentence: Statement, shared: Shared): number {
  const all = sentence.words.length + sentence.quantities.length;
  return all === 0 ? 0 : (shared.words.size + shared.quantities.size) / all;
}
