import type { Language } from '../language';

/** One page of the bundled corpus. Pages with the same `topic` say the same in another language, or go on where another stops. */
export interface Article {
  topic: string;
  lang: Language;
  /** Under the reserved domain `sandbox.example`, so that nobody takes it for a live page. */
  url: string;
  title: string;
  /** Other words by which the topic is asked for. */
  keywords: string;
  paragraphs: string[];
}
