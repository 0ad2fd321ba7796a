import { clusterEnd, fold, type Folded } from './fold';
import {
  bareQuote,
  cutEnd,
  isWhole,
  MAX_REQUEST_CHARS,
  MIN_QUOTE_CHARS,
} from './quote';

/** A passage of a page; `text` is the page's own, `start` and `end` count UTF-16 units of the page. */
export interface Passage {
  start: number;
  end: number;
  text: string;
}

/** A page on which many fragments of a quote stand in the middle of words ends the search. */
const MAX_CANDIDATES = 1_000;

/** A page that is searched for several quotes; it is folded once. */
export class FoldedPage {
  private readonly folded: Folded;

  constructor(private readonly page: string) {
    this.folded = fold(page);
  }

  /**
   * The first passage that reads like the quote, whatever its white space, quotation marks, hyphens, case and Unicode
   * forms. Every digit must be the same. A passage of more than 400 characters is cut after its last whole sentence;
   * one without a sentence end in reach, a quote of less than 8 characters and one of more than 4,000 have none.
   */
  findQuote(quote: string): Passage | undefined {
    if (quote.length > MAX_REQUEST_CHARS) return undefined;
    const bare = bareQuote(quote);
    return this.find(bare) ?? this.find(bare.replace(TRAILING_MARKS, ''));
  }

  private find(quote: string): Passage | undefined {
    const wanted = fold(quote).text.trim();
    if (wanted.length < MIN_QUOTE_CHARS) return undefined;
    const { text } = this.folded;
    let at = text.indexOf(wanted);
    for (let tries = 0; at >= 0 && tries < MAX_CANDIDATES; tries += 1) {
      const passage = this.passageAt(at, at + wanted.length);
      if (passage) return passage;
      at = text.indexOf(wanted, at + 1);
    }
    return undefined;
  }

  /** Undefined where the range begins or ends inside a character, a word or a number. */
  private passageAt(from: number, to: number): Passage | undefined {
    const { starts } = this.folded;
    const isInside = (at: number): boolean =>
      at > 0 && starts[at] === starts[at - 1];
    if (isInside(from) || isInside(to)) return undefined;
    const start = starts[from];
    const whole = clusterEnd(this.page, starts[to - 1]);
    if (!isWhole(this.page, start, whole)) return undefined;
    const end = cutEnd(this.page, start, whole);
    if (end === undefined) return undefined;
    return { start, end, text: this.page.slice(start, end) };
  }
}

const TRAILING_MARKS = /(?:["'”’»」』]|…|\.{3}|\s){1,8}$/;

/** See {@link FoldedPage.findQuote}. A page with several quotes is folded once by a `FoldedPage`. */
export function findQuote(page: string, quote: string): Passage | undefined {
  return new FoldedPage(page).findQuote(quote);
}
