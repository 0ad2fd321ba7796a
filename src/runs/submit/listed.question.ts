const MAX_LISTED_QUESTION = 1_000;

/** The research question for listings, shortened; the arguments hold all of it. */
export function questionIn({
  research_question: question,
}: Record<string, unknown>): string {
  if (typeof question !== 'string') return '';
  return question.length <= MAX_LISTED_QUESTION
    ? question
    : `${question.slice(0, MAX_LISTED_QUESTION - 1).toWellFormed()}…`;
}
