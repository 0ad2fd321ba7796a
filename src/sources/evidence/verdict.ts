/**
 * What was found when a sentence was compared with the quotes that it cites.
 * - `quote_matched`: it is a whole sentence of a quote.
 * - `supported`: the quotes state it. `derived`: it is computed from them. `judgement`: a conclusion that follows from them.
 * - `partly_supported`: true of them, but it lacks context that they give.
 * - `contradicted`: they say otherwise. `unsupported`: they do not say it, or only half of it.
 * - `number_differs`: a number stands nowhere in them. `text_differs`: it is a copy in which words were changed.
 * - `unchecked`: nothing decided on it.
 */
export const VERDICTS = [
  'quote_matched',
  'supported',
  'derived',
  'judgement',
  'partly_supported',
  'contradicted',
  'unsupported',
  'number_differs',
  'text_differs',
  'unchecked',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What decided: a comparison of texts, or a model. */
export const CHECKED_BY = ['text', 'model'] as const;
export type CheckedBy = (typeof CHECKED_BY)[number];
