/** Where clauses may begin: after punctuation, English conjunctions, and Korean connective endings. */
const BREAKS =
  /[;:()[\]{}!?。\n—]|,(?!\d)|\.(?=\s)|\b(?:and|but|while|whereas|although|though|because|when|which|who|yet|however|nor|or|unlike)\b|(?:[가-힣](?:고|며|지만|는데|은데|으나|면서|아서|어서|해서|하자|하지만)|니다|다)(?=\s)|(?<=\s)(?:그리고|반면|또는|및)(?=\s)/gi;

/** Offsets at which a new clause begins, ascending; the first is 0. */
export function clauseStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(BREAKS))
    starts.push(match.index + match[0].length);
  return starts;
}
