import { bind } from '../../src/sources/evidence/binding';
import { FoldedPage } from '../../src/sources/evidence/folded-page';
import type { EvidencePort } from '../../src/research/agent/agent-ports';

/** What `--without` takes out, to show what it is good for. */
export const GUARDS = ['quote', 'number', 'polarity', 'dedupe'] as const;
export type Guard = (typeof GUARDS)[number];

/** The comparisons of the agent, without one of them. `dedupe` is no comparison: see `Site`. */
export function evidenceWithout(guard?: Guard): EvidencePort {
  switch (guard) {
    case 'quote':
      return { bind, findQuote: anyQuote };
    case 'number':
      return { bind: blindTo('number_differs'), findQuote };
    case 'polarity':
      return { bind: blindTo('polarity_differs'), findQuote };
    default:
      return { bind, findQuote };
  }
}

const pages = new Map<string, FoldedPage>();

/** The pages of the corpus are few: each is folded once. */
const findQuote: EvidencePort['findQuote'] = (page, quote) => {
  const folded = pages.get(page) ?? new FoldedPage(page);
  pages.set(page, folded);
  return folded.findQuote(quote);
};

/** A quote need not be in the page. */
const anyQuote: EvidencePort['findQuote'] = (page, quote) =>
  findQuote(page, quote) ?? { start: 0, end: quote.length, text: quote };

const blindTo =
  (verdict: string): EvidencePort['bind'] =>
  (sentence, evidence) => {
    const bound = bind(sentence, evidence);
    return bound.verdict === verdict
      ? { ...bound, verdict: 'quote_matched' }
      : bound;
  };
