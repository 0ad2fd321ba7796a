import type { Language } from '../language';

/**
 * One page of the bundled corpus. Pages with the same `topic` have the same content in another language, or continue
 * it.
 */
export interface Article {
  topic: string;
  lang: Language;
  /** At the reserved domain `sandbox.example`, so that it is never mistaken for a live page. */
  url: string;
  title: string;
  /** Other words for the topic in questions. */
  keywords: string;
  paragraphs: string[];
}
