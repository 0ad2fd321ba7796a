import type { Article } from './articles/article';
import { library } from './library';
import type { Language } from './language';
import { languageOf } from './language';
import { tokensOf } from './tokens';

/** A source of a report; a supplied document has no URL. */
export interface Source {
  title: string;
  url: string | null;
  paragraphs: string[];
}

interface Topic {
  name: string;
  articles: Article[];
  head: Set<string>;
  body: Set<string>;
}

const topics: Topic[] = [...new Set(library.map((a) => a.topic))].map(
  (name) => {
    const articles = library.filter((a) => a.topic === name);
    return {
      name,
      articles,
      head: new Set(
        articles.flatMap((a) => tokensOf(`${a.title} ${a.keywords}`)),
      ),
      body: new Set(articles.flatMap((a) => tokensOf(a.paragraphs.join(' ')))),
    };
  },
);

const rarity = (token: string) =>
  Math.log(
    1 +
      topics.length /
        topics.filter((t) => t.head.has(token) || t.body.has(token)).length,
  );

const HEAD_WEIGHT = 3;
const TOPICS_AT_MOST = 3;

/**
 * The corpus pages that match `question`, best topic first, in `language` where available. A topic matches only by its
 * title or keywords: words that merely occur in a page would match everything.
 */
export function searchCorpus(question: string, language: Language): Source[] {
  const questionTokens = [...new Set(tokensOf(question))];
  const scored = topics
    .filter((topic) => questionTokens.some((token) => topic.head.has(token)))
    .map((topic) => ({ topic, score: scoreTopic(topic, questionTokens) }))
    .sort((a, b) => b.score - a.score);
  return scored
    .filter(({ score }) => score >= scored[0].score / 2)
    .slice(0, TOPICS_AT_MOST)
    .flatMap(({ topic }) => pagesOf(topic, questionTokens, language));
}

const scoreTopic = (topic: Topic, questionTokens: string[]) =>
  questionTokens.reduce((sum, token) => {
    if (topic.head.has(token)) return sum + HEAD_WEIGHT * rarity(token);
    return topic.body.has(token) ? sum + rarity(token) : sum;
  }, 0);

/** Pages in their order, unless the question names what only some of them cover. */
function pagesOf(
  topic: Topic,
  questionTokens: string[],
  language: Language,
): Source[] {
  const inLanguage = topic.articles.filter((a) => a.lang === language);
  const pages = inLanguage.length > 0 ? inLanguage : topic.articles;
  const titles = pages.map((page) => new Set(tokensOf(page.title)));
  const distinctive = questionTokens.filter(
    (token) => titles.filter((t) => t.has(token)).length <= pages.length / 3,
  );
  const named = (page: Article) =>
    distinctive.filter((token) => titles[pages.indexOf(page)].has(token))
      .length;
  return [...pages].sort((a, b) => named(b) - named(a));
}

const bundled = new Map(
  library
    .flatMap((article) => article.paragraphs)
    .map((text) => [text, [...new Set(tokensOf(text))]]),
);

const tokensOnce = (text: string) =>
  bundled.get(text) ?? [...new Set(tokensOf(text))];

/** The `count` paragraphs of a source that share most with the question, in reading order. */
export function bestParagraphs(
  source: Source,
  question: string,
  count: number,
): string[] {
  const questionTokens = new Set(tokensOf(question));
  const scored = source.paragraphs.map((text, index) => ({
    text,
    index,
    score: tokensOnce(text).filter((token) => questionTokens.has(token)).length,
  }));
  return scored
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ text }) => text);
}

/** Documents in the language of the reply come first, as they can be quoted unchanged. */
export const orderDocuments = (documents: Source[], language: Language) =>
  [...documents].sort(
    (a, b) =>
      Number(languageOf(b.paragraphs.join(' ')) === language) -
      Number(languageOf(a.paragraphs.join(' ')) === language),
  );
