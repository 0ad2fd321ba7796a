import type { Citation, Source } from '../platform/message/citation';

/** A citation of the record, with what is known of the page. */
export interface GivenCitation extends Citation {
  quote?: string;
  /** The text of the page around the quote. */
  window?: string;
  /** RFC 3339: when the page was read. */
  readAt?: string;
  source?: number;
  verdict?: string;
  checked_by?: string;
  detail?: string;
  purged?: boolean;
}

/** Everything that a report is made of, as it crosses to the thread. */
export interface ReportInput {
  id: string;
  text: string;
  question: string | null;
  isIncomplete: boolean;
  /** Why the run ended before its report was done, as its record says it. */
  reason: string | null;
  /** The limits at which the run stopped. */
  limits: readonly string[];
  model: string | null;
  /** How many of its sentences have each verdict. */
  verdicts: Readonly<Record<string, number>>;
  /** The model that judged its sentences. */
  verifier: string | null;
  /** RFC 3339. */
  completedAt: string | null;
  citations: readonly GivenCitation[];
  sources: readonly Source[];
}

/** Equal citations have one number, which every format shows. */
export interface ReportCitation {
  number: number;
  /** As the record has it: `document:1` is no address. */
  url: string;
  /** Where a reader may go: http, https or mailto. */
  href: string | null;
  title: string;
  quote: string | null;
  window: string | null;
  read_at: string | null;
  verdict: string | null;
  /** What decided: `text`, or `model`. */
  checked_by: string | null;
  /** What differs or is missing. */
  detail: string | null;
  /** The page was purged, its quote with it. */
  purged: boolean;
}

export interface TextRun {
  type: 'text';
  text: string;
  bold?: true;
  italic?: true;
  strike?: true;
  code?: true;
  href?: string;
}

export type Inline =
  TextRun | { type: 'break' } | { type: 'citation'; number: number };

export type Align = 'left' | 'center' | 'right' | null;

export type Block =
  | { type: 'heading'; level: number; content: Inline[] }
  | { type: 'paragraph'; content: Inline[] }
  | { type: 'list'; start: number | null; items: Block[][] }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'code'; text: string; language: string | null }
  | { type: 'table'; align: Align[]; rows: Inline[][][] }
  | { type: 'rule' };

/** What all formats are written from. The first row of a table is its head. */
export interface ReportDocument {
  invocation_id: string;
  title: string;
  question: string | null;
  /** Of most of its text, a tag of BCP 47. */
  language: string;
  incomplete: boolean;
  reason: string | null;
  limits_reached: string[];
  model: string | null;
  verdicts: Record<string, number>;
  verifier: string | null;
  completed_at: string | null;
  blocks: Block[];
  citations: ReportCitation[];
  /** What was consulted and is not cited. */
  consulted: (Source & { href: string | null })[];
}
