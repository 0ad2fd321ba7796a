import { createHash } from 'node:crypto';
import { languageOf } from '../../src/platform/message/language';
import MiniSearch from 'minisearch';
import { tokensOf } from '../../sandbox/corpus/tokens';
import { type CorpusPage, type CorpusSection, sectionsOf } from './corpus';

const MAX_HITS = 20;
const SNIPPET = 300;
const TITLE_WEIGHT = 2;

/** A result in the form of SearXNG. */
export interface CorpusResult {
  url: string;
  title: string;
  content: string;
  publishedDate: null;
  engine: string;
  engines: string[];
  category: string;
  score: number;
}

/** Ranks the sections of the corpus by BM25, in the language that is asked for. */
export class CorpusSearch {
  private readonly sections: ReadonlyMap<string, CorpusSection>;
  private readonly index = new MiniSearch<CorpusSection>({
    fields: ['title', 'text'],
    tokenize: tokensOf,
    processTerm: (term) => term,
    searchOptions: { boost: { title: TITLE_WEIGHT } },
  });

  constructor(pages: readonly CorpusPage[]) {
    const sections = pages.flatMap(sectionsOf);
    this.sections = new Map(sections.map((one) => [one.id, one]));
    this.index.addAll(sections);
  }

  /**
   * @param language of the pages: that of the query where none is given, as engines do; all for any but English and Korean.
   * @param distinct addresses never repeat, so that no page is recognised as one that was found before.
   */
  find(
    query: string,
    language: string | null,
    origin: string,
    distinct: boolean,
  ): CorpusResult[] {
    const asked = language ?? languageOf(query) ?? 'en';
    const wanted = /^(en|ko)\b/.exec(asked)?.[1];
    return this.index
      .search(query)
      .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .flatMap(({ id, score }) => {
        const section = this.sections.get(id as string)!;
        const fits = !wanted || section.page.language === wanted;
        return fits ? { section, score } : [];
      })
      .slice(0, MAX_HITS)
      .map(({ section, score }, rank) => ({
        url: addressOf(
          section,
          origin,
          distinct ? `${query} ${rank}` : undefined,
        ),
        title: section.title,
        content: section.text.slice(0, SNIPPET),
        publishedDate: null,
        engine: 'corpus',
        engines: ['corpus'],
        category: 'general',
        score,
      }));
  }
}

function addressOf(
  { page, anchor }: CorpusSection,
  origin: string,
  hit: string | undefined,
): string {
  const url = new URL(`/${page.path}`, origin);
  if (hit !== undefined)
    url.search = createHash('sha256').update(hit).digest('hex').slice(0, 12);
  url.hash = anchor;
  return url.href;
}
