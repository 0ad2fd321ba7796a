import { editsBetween, type Edits, type Work } from './alignment';
import { tokensOf, type Token, type Vocabulary } from './words/tokens';

const MIN_TOKENS = 4;
/** An ordinary sentence takes some hundreds for each quote. */
export const MAX_CELLS = 100_000;

export interface EditFault {
  readonly fault: 'number_differs' | 'polarity_differs' | 'unanchored';
  readonly detail: string;
}

const TOO_LONG: EditFault = {
  fault: 'unanchored',
  detail: 'It and its quotes are too long to compare.',
};

/**
 * Finds what was changed in a sentence that is its quote but for one token in five: a negation left out or added, "if"
 * for "unless", another number in the place of one. A parenthesis of the quote may be left out. The work for all quotes
 * of the sentence together is bounded; quotes for which none is left are no evidence.
 */
export class EditSearch {
  readonly work: Work = { cells: MAX_CELLS };
  private readonly vocabulary: Vocabulary = new Map();
  private readonly stated: readonly Token[];

  constructor(private readonly sentence: string) {
    this.stated = tokensOf(sentence, this.vocabulary);
  }

  faultIn(quote: string): EditFault | undefined {
    if (this.stated.length < MIN_TOKENS) return undefined;
    const found = this.compared(quote);
    return found && parentheses(this.sentence) < parentheses(quote)
      ? this.compared(quote.replace(/\([^()]{0,2000}\)/g, ' '))
      : found;
  }

  private compared(quote: string): EditFault | undefined {
    if (this.work.cells === 0) return TOO_LONG;
    const quoted = tokensOf(quote, this.vocabulary);
    if (isPart(this.stated, quoted)) return undefined;
    const edits = editsBetween(this.stated, quoted, this.work);
    if (edits !== 'too_long')
      return edits && faultOf(edits, this.stated, quoted);
    this.work.cells = 0;
    return TOO_LONG;
  }
}

function faultOf(
  edits: Edits,
  stated: readonly Token[],
  quoted: readonly Token[],
): EditFault | undefined {
  if (edits.numbers > 0)
    return {
      fault: 'number_differs',
      detail: 'The quote has another number in its place.',
    };
  if (edits.opposites > 0)
    return {
      fault: 'polarity_differs',
      detail: 'A word of the quote is replaced by its opposite.',
    };
  const isMoved =
    edits.dropped === edits.added || negations(stated) === negations(quoted);
  return isMoved
    ? undefined
    : {
        fault: 'polarity_differs',
        detail: 'A negation stands on one side only.',
      };
}

/** The sentence stands in the quote as it is. */
function isPart(stated: readonly Token[], quoted: readonly Token[]): boolean {
  const line = (tokens: readonly Token[]): string =>
    ` ${tokens.map(({ text }) => text).join(' ')} `;
  return line(quoted).includes(line(stated));
}

function parentheses(text: string): number {
  return text.split('(').length;
}

function negations(tokens: readonly Token[]): number {
  return tokens.filter(({ isNegation }) => isNegation).length;
}
