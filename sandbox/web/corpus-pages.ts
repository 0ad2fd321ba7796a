import type { Article } from '../corpus/articles/article';
import { library } from '../corpus/library';

const CORPUS = 'https://sandbox.example/';

/** The form in which the page of an article is served; HTML in UTF-8 unless it is listed. */
const FORMS: Record<string, PageForm> = {
  'en/durable-execution': 'pdf',
  'ko/hangul': 'euc-kr',
  'ko/haenyeo': 'euc-kr-meta',
};
export type PageForm = 'html' | 'pdf' | 'euc-kr' | 'euc-kr-meta';

export interface CorpusPage {
  /** Below the origin, with a leading slash. */
  path: string;
  form: PageForm;
  article: Article;
}

const pageOf = (article: Article): CorpusPage => {
  const name = article.url.slice(CORPUS.length);
  const form = FORMS[name] ?? 'html';
  return {
    path: `/pages/${name}${form === 'pdf' ? '.pdf' : ''}`,
    form,
    article,
  };
};

/** Every article of the corpus as a page of the sandbox's own origin. */
export const corpusPages: ReadonlyMap<string, CorpusPage> = new Map(
  library.map((article) => {
    const page = pageOf(article);
    return [page.path, page];
  }),
);

const byUrl = new Map(
  [...corpusPages.values()].map((page) => [page.article.url, page]),
);

export const pageAt = (url: string | null): CorpusPage | undefined =>
  url === null ? undefined : byUrl.get(url);
