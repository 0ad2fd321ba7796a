/** What research has read, and how its report rests on it. */

/** Limits of a run of the agent. */
export interface ResearchBudget {
  /** US dollars. Needs the prices of all models that are used. */
  max_cost_usd?: number;
  max_searches?: number;
  max_pages?: number;
  /** Input and output of all model calls. */
  max_tokens?: number;
  max_seconds?: number;
}

/** How a sentence compares with the quotes that it cites. A matched quote is no proof of the sentence. */
export type Verdict =
  | 'quote_matched'
  | 'number_differs'
  | 'polarity_differs'
  | 'unanchored'
  | 'derived';

export interface SourceQuote {
  note_id: string;
  /** What the quote says, in the words of the model. */
  claim: string;
  /** The exact words of the source. */
  quote: string;
  /** The text of the source around the quote. */
  window: string;
  /** UTF-16 units of the text of the source, as in `text.slice(start, end)`. */
  start: number;
  end: number;
}

/** A page or document that was read. */
export interface ReadSource {
  /** From 1; the `source` of a citation. */
  number: number;
  /** `document:1` for a document of the request. */
  url: string;
  title: string;
  /** Null for a source that the model endpoint has read, like the two fields below. */
  fetched_at: string | null;
  /** Of the text that was read. */
  sha256: string | null;
  language: string | null;
  /** Empty for a source that the model endpoint has read. */
  quotes: SourceQuote[];
}

export interface ReadSourceList {
  data: ReadSource[];
}

export interface EvidenceNote extends SourceQuote {
  /** Number of its source. */
  source: number;
}

/** What a report of the agent rests on. */
export interface Evidence {
  brief: Record<string, unknown> | null;
  plan: Record<string, unknown> | null;
  notes: EvidenceNote[];
  /** Notes that are left out because there were too many. */
  omitted_notes: number;
  contradictions: { note_ids: string[]; about: string }[];
  /** Of the report, without what a guardrail has changed. The title of the answer is empty. */
  sections: {
    title: string;
    sentences: { text: string; note_ids: string[]; verdict: Verdict | null }[];
  }[];
  /** Searches and pages that failed: a query or an address, and what was tried for it. */
  failed: { what: string; tried: { provider: string; fault: string }[] }[];
}
