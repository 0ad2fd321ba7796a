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

/**
 * What was found when a sentence was compared with the quotes that it cites, which is no proof of it.
 * - `quote_matched`: it is a whole sentence of a quote.
 * - `supported`: the quotes state it. `derived`: it is computed from them. `judgement`: a conclusion that follows from them.
 * - `partly_supported`: true of them, but it lacks context that they give.
 * - `contradicted`: they say otherwise. `unsupported`: they do not say it, or only half of it.
 * - `number_differs`: a number stands nowhere in them. `text_differs`: it is a copy in which words were changed.
 * - `unchecked`: nothing decided on it.
 */
export type Verdict =
  | 'quote_matched'
  | 'supported'
  | 'derived'
  | 'judgement'
  | 'partly_supported'
  | 'contradicted'
  | 'unsupported'
  | 'number_differs'
  | 'text_differs'
  | 'unchecked';

/** What decided on a verdict: a comparison of texts, or a model. */
export type CheckedBy = 'text' | 'model';

/** A sentence of a report of the agent. */
export interface BoundSentence {
  text: string;
  note_ids: string[];
  /** `judgement`: a conclusion from the notes; `absent`: what was not found; `link`: a transition without a claim. */
  kind: 'fact' | 'judgement' | 'absent' | 'link';
  /** Null where nothing was to be compared. */
  verdict: Verdict | null;
  checked_by: CheckedBy | null;
  /** The word or phrase of the sentence that differs, or what it lacks. */
  detail: string | null;
}

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
    sentences: BoundSentence[];
  }[];
  /** How many sentences have each verdict; verdicts that none has are left out. */
  verdicts: Partial<Record<Verdict, number>>;
  /** The model that judged the sentences; null where none was to. */
  verifier: string | null;
  /** Searches and pages that failed: a query or an address, and what was tried for it. */
  failed: { what: string; tried: { provider: string; fault: string }[] }[];
}
