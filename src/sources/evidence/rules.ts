import {
  type Compared,
  isWhole,
  MAX_SENTENCE_CHARS,
  bounded,
} from './compared';
import { editIn, isWholeSentence } from './near-copy';
import { foreignNumber } from './number-vetoes';
import { percentForPoints } from './percent-points';

/** What a comparison of texts decides. Nothing overrides it. */
export interface Ruled {
  verdict: 'quote_matched' | 'number_differs' | 'text_differs';
  /** What differs: at most 200 characters, empty of a match. */
  detail: string;
}

const MAX_DETAIL = 200;

/**
 * The verdict that needs no understanding; undefined where there is none, which says nothing of the sentence. It takes a few
 * milliseconds at most, whatever the texts.
 * - A whole sentence of one quote, but for case, white space, marks and a leading "and", is matched.
 * - A number that stands nowhere, percent for percentage points, and a copy in which a number, a negation or an opposite was put
 *   in differ.
 */
export function ruled(given: Compared): Ruled | undefined {
  if (given.sentence.length > MAX_SENTENCE_CHARS) return undefined;
  const compared = bounded(given);
  const { sentence, quotes } = compared;
  if (isWholeSentence(sentence, quotes))
    return { verdict: 'quote_matched', detail: '' };
  if (!isWhole(given)) return undefined;
  const number = foreignNumber(compared) ?? percentForPoints(compared);
  if (number !== undefined)
    return { verdict: 'number_differs', detail: number.slice(0, MAX_DETAIL) };
  for (const quote of quotes) {
    const edit = editIn(sentence, quote);
    if (edit)
      return {
        ...edit,
        detail: edit.detail.slice(0, MAX_DETAIL).toWellFormed(),
      };
  }
  return undefined;
}
