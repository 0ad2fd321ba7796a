import type { AgentReport } from '../../src/research/agent/agent.types';
import { termsOf } from '../../src/research/agent/text/terms';
import { type CorpusPage, sectionsOf } from './corpus';

/** A term is rare if at most this share of the pages of the corpus have it. */
const RARE = 0.1;
/** Of the rare terms of a criterion, the share that one cited note must have. */
const SHARED = 0.5;

/** Which terms say what a text is about: how many pages of the corpus have each. */
export class Vocabulary {
  private readonly pagesWith = new Map<string, number>();

  /** @param pages their texts. */
  constructor(private readonly pages: readonly string[]) {
    for (const term of pages.flatMap((page) => [...new Set(termsOf(page))]))
      this.pagesWith.set(term, (this.pagesWith.get(term) ?? 0) + 1);
  }

  static of(corpus: readonly CorpusPage[]): Vocabulary {
    const texts = corpus.map((page) =>
      sectionsOf(page)
        .map(({ title, text }) => `${title} ${text}`)
        .join('\n'),
    );
    return new Vocabulary(texts);
  }

  /** Its rare terms, each once; all of its terms if none of them is rare. */
  rareIn(text: string): string[] {
    const terms = [...new Set(termsOf(text))];
    const most = this.pages.length * RARE;
    const rare = terms.filter(
      (term) => (this.pagesWith.get(term) ?? 0) <= most,
    );
    return rare.length > 0 ? rare : terms;
  }
}

/** What a good answer has, by the brief of a run: its criteria, else its sub-questions, else the question. */
export function criteriaOf(
  { evidence: { brief } }: Pick<AgentReport, 'evidence'>,
  question: string,
): readonly string[] {
  const { criteria = [], sub_questions = [] } = brief ?? {};
  if (criteria.length > 0) return criteria;
  return sub_questions.length > 0 ? sub_questions : [question];
}

/**
 * The criteria that the report serves: at least half of the rare terms of each stand in one note that a sentence cites, in
 * its quote or in the headings above it.
 */
export function covered(
  criteria: readonly string[],
  { evidence: { notes, sections } }: Pick<AgentReport, 'evidence'>,
  words: Vocabulary,
): string[] {
  const cited = new Set(
    sections.flatMap(({ sentences }) =>
      sentences.flatMap(({ noteIds }) => noteIds),
    ),
  );
  const served = notes
    .filter(({ id }) => cited.has(id))
    .map(({ quote, headings = [] }) => {
      return new Set(termsOf([...headings, quote].join('\n')));
    });
  return criteria.filter((criterion) => {
    const rare = words.rareIn(criterion);
    return served.some((terms) => {
      const found = rare.filter((term) => terms.has(term)).length;
      return found > 0 && found >= rare.length * SHARED;
    });
  });
}
