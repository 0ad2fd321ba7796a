import type { Language } from './language';
import { library } from './library';

/** A topic of the corpus, and a question that finds it. */
export interface ListedTopic {
  topic: string;
  title: Record<Language, string>;
  question: Record<Language, string>;
}

const titleOf = (topic: string, lang: Language): string => {
  const page = library.find((a) => a.topic === topic && a.lang === lang);
  return (page?.title ?? topic).split(':')[0];
};

/** All topics, in the order of the library. */
export const listedTopics: ListedTopic[] = [
  ...new Set(library.map(({ topic }) => topic)),
].map((topic) => {
  const title = { en: titleOf(topic, 'en'), ko: titleOf(topic, 'ko') };
  return {
    topic,
    title,
    question: {
      en: `Research in detail: ${title.en}`,
      ko: `자세히 조사해 줘: ${title.ko}`,
    },
  };
});

/** The titles as one line of text. */
export const topicLine = (language: Language): string =>
  listedTopics.map(({ title }) => title[language]).join(' · ');
