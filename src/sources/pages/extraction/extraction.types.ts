import type { Heading, Page, PageFault } from '../page.types';

export interface ExtractionTask {
  readonly url: string;
  /** Given away: the sender cannot use them afterwards. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The headers as they came, or empty. */
  readonly contentType: string;
  readonly contentLanguage: string;
}

export interface RobotsTask {
  readonly text: string;
  readonly url: string;
}

/** A fault is a value: errors lose their fields on the way out of a thread. */
export type Extraction =
  | Omit<Page, 'url' | 'fetchedAt'>
  | { fault: PageFault }
  /** The page only leads to this address, which nobody has checked. */
  | { refresh: string };

/** A text with its headings, whose offsets are those of this text. */
export interface StructuredText {
  readonly text: string;
  readonly headings?: readonly Heading[];
}

/** What a format gives; the rest is the same for all. */
export interface ExtractedText extends StructuredText {
  readonly title?: string;
  readonly language?: string;
  readonly truncated?: boolean;
  readonly alternates?: readonly string[];
}

/** Ends an extraction within its thread. */
export class ExtractionFault extends Error {
  constructor(readonly fault: PageFault) {
    super(fault);
  }
}

/** The name of the product in robots.txt. */
export const ROBOTS_TOKEN = 'sonde';

/** The longest text that a page has, in UTF-16 units. */
export const MAX_TEXT_CHARS = 4_000_000;
