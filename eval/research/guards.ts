import { bind } from '../../src/sources/evidence/binding';
import { FoldedPage } from '../../src/sources/evidence/folded-page';
import type { EvidencePort } from '../../src/research/agent/agent-ports';

/** What `--without` takes out, to show what it is good for. */
export const GUARDS = ['number', 'polarity', 'dedupe'] as const;
export type Guard = (typeof GUARDS)[number];

/** The comparisons of the agent, without one of them. `dedupe` is no comparison: see `Site`. */
export function evidenceWithout(guard?: Guard): EvidencePort {
  switch (guard) {
    case 'number':
      return { bind: blindTo('number_differs'), page };
    case 'polarity':
      return { bind: blindTo('contradicted'), page };
    default:
      return { bind, page };
  }
}

const page: EvidencePort['page'] = (text) => new FoldedPage(text);

const blindTo =
  (verdict: string): EvidencePort['bind'] =>
  (sentence, evidence) => {
    const bound = bind(sentence, evidence);
    return bound.verdict === verdict
      ? { ...bound, verdict: 'quote_matched' }
      : bound;
  };
