/** A note of a page. Only `quote` is evidence: it is the page's own text. `claim` is a model's wording of it and never supports a sentence. */
export interface Evidence {
  id: string;
  claim: string;
  quote: string;
}

/**
 * What the comparison of a sentence with its quotes found.
 * - `quote_matched`: everything in the sentence that can be compared stands in one quote. It is not an entailment.
 * - `number_differs`: a number or date of the sentence is not in its quotes, or belongs to another subject there.
 * - `polarity_differs`: a negation, a hedge or a direction (rise, fall) stands on one side only.
 * - `unanchored`: too little of the sentence can be compared with its quotes.
 * - `derived`: the sentence combines or computes from its quotes: sums, differences, ratios, roundings, several notes.
 */
export const VERDICTS = [
  'quote_matched',
  'number_differs',
  'polarity_differs',
  'unanchored',
  'derived',
] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Binding {
  verdict: Verdict;
  /** Why the verdict is not simply a match, in words for a person. */
  detail?: string;
  /** The notes that the verdict rests on. */
  noteIds: string[];
}
