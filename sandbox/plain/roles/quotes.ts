import { sentencesIn, shared, termsOf } from '../extract';
import { missingIn } from '../role-inputs';
import type { Quotes, RoleRequest } from '../role.types';

/** The sentence of the page that has at least half of the terms of each missing quote, or null. */
export function quotes({ data }: RoleRequest): Quotes {
  const sentences = sentencesIn(data.text('page'));
  return {
    quotes: missingIn(data).map((missing, index) => ({
      index,
      quote: nearest(missing, sentences),
    })),
  };
}

function nearest(missing: string, sentences: string[]): string | null {
  const terms = termsOf(missing);
  const [best] = sentences
    .map((sentence) => ({ sentence, score: shared(sentence, terms) }))
    .sort((a, b) => b.score - a.score);
  return best && best.score > 0 && best.score >= terms.size / 2
    ? best.sentence
    : null;
}
