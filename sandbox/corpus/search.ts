import type { Article } from './articles/article';
import { library } from './library';
import type { Language } from './language';
import { languageOf } from './language';
import { tokensOf } from './tokens';

/** Something a report can draw on; a supplied document has no URL. */
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
 * The corpus pages on what `question` is about, best topic first, in `language` where the corpus has it. A topic counts only
 * if its title or keywords are named: words that merely occur somewhere in a page would make everything an answer.
 */
export function searchCorpus(question: string, language: Language): Source[] {
  const asked = [...new Set(tokensOf(question))];
  const scored = topics
    .filter((topic) => asked.some((token) => topic.head.has(token)))
    .map((topic) => ({ topic, score: scoreTopic(topic, asked) }))
    .sort((a, b) => b.score - a.score);
  return scored
    .filter(({ score }) => score >= scored[0].score / 2)
    .slice(0, TOPICS_AT_MOST)
    .flatMap(({ topic }) => pagesOf(topic, asked, language));
}

const scoreTopic = (topic: Topic, asked: string[]) =>
  asked.reduce((sum, token) => {
    if (topic.head.has(token)) return sum + HEAD_WEIGHT * rarity(token);
    return topic.body.has(token) ? sum + rarity(token) : sum;
  }, 0);

/** Pages in their own order, as it tells the story, unless the question names what only some of them are about. */
function pagesOf(topic: Topic, asked: string[], language: Language): Source[] {
  const inLanguage = topic.articles.filter((a) => a.lang === language);
  const pages = inLanguage.length > 0 ? inLanguage : topic.articles;
  const titles = pages.map((page) => new Set(tokensOf(page.title)));
  const telling = asked.filter(
    (token) => titles.filter((t) => t.has(token)).length <= pages.length / 3,
  );
  const named = (page: Article) =>
    telling.filter((token) => titles[pages.indexOf(page)].has(token)).length;
  return [...pages].sort((a, b) => named(b) - named(a));
}

const bundled = new Map(
  library
    .flatMap((article) => article.paragraphs)
    .map((text) => [text, [...new Set(tokensOf(text))]]),
);

const tokensOnce = (text: string) =>
  bundled.get(text) ?? [...new Set(tokensOf(text))];

/** The paragraphs of a source that share most with the question; `count` of them, in reading order. */
export function bestParagraphs(
  source: Source,
  question: string,
  count: number,
): string[] {
  const asked = new Set(tokensOf(question));
  const scored = source.paragraphs.map((text, index) => ({
    text,
    index,
    score: tokensOnce(text).filter((token) => asked.has(token)).length,
  }));
  return scored
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ text }) => text);
}

/** Documents in the reply's language come first, as they can be quoted as they are. */
export const orderDocuments = (documents: Source[], language: Language) =>
  [...documents].sort(
    (a, b) =>
      Number(languageOf(b.paragraphs.join(' ')) === language) -
      Number(languageOf(a.paragraphs.join(' ')) === language),
  );
