const MAX_LISTED_QUESTION = 1_000;

/** The research question for listings. */
export function questionIn(args: Record<string, unknown>): string {
  const { research_question: question } = args;
  return typeof question === 'string' ? listedQuestion(question) : '';
}

/** Shortened; the arguments hold all of it. */
export function listedQuestion(question: string): string {
  return question.length <= MAX_LISTED_QUESTION
    ? question
    : `${question.slice(0, MAX_LISTED_QUESTION - 1).toWellFormed()}…`;
}
