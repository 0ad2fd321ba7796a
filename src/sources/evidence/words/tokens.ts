import { fold } from '../fold';
import { isNegation } from './polarity-marks';

/** A word or number of a text with what matters when another stands in its place. Equal tokens are one object. */
export interface Token {
  readonly text: string;
  readonly isNegation: boolean;
  /** May replace a negation: "not possible" is "impossible". */
  readonly isNeutral: boolean;
  /** What it is without its digits, as in "p#"; empty without digits. */
  readonly form: string;
  /** The same for "1.0" and "1". */
  readonly value: string;
  /** The same for a word and its opposite; empty for words without one. */
  readonly pair: string;
}

/** Tokens of one comparison by their text. */
export type Vocabulary = Map<string, Token>;

const TOKEN =
  /\p{Nd}+(?:[.,:]\p{Nd}+)*[\p{L}\p{M}]*|[\p{L}\p{M}][\p{L}\p{M}\p{Nd}]*(?:['’][\p{L}\p{M}]+)?/gu;
const NUMBER = /[\p{Nd}.]+/gu;
const NEUTRAL =
  /^(?:(?:un|in|im|ir|il|non|dis)\p{L}{4}|[불비미무]|nor$|or$|zero$|0$)/u;
const PAIRS = new Map(
  ['if unless', 'before after', 'above below', 'old new'].flatMap((pair) =>
    pair.split(' ').map((word) => [word, pair]),
  ),
);

export function tokensOf(text: string, vocabulary: Vocabulary): Token[] {
  return [...fold(text).text.matchAll(TOKEN)].map(([found]) => {
    const plain = found.replace(/(?<=\p{Nd}),(?=\p{Nd}{3})/gu, '');
    const token = vocabulary.get(plain) ?? tokenOf(plain);
    vocabulary.set(plain, token);
    return token;
  });
}

function tokenOf(text: string): Token {
  const hasDigits = /\p{Nd}/u.test(text);
  return {
    text,
    isNegation: isNegation(text),
    isNeutral: NEUTRAL.test(text),
    form: hasDigits ? text.replace(NUMBER, '#') : '',
    value: hasDigits ? text.replace(NUMBER, valueOf) : '',
    pair:
      PAIRS.get(text) ?? (/[없있]/.test(text) ? text.replace('없', '있') : ''),
  };
}

function valueOf(digits: string): string {
  const value = Number(digits);
  return Number.isNaN(value) ? digits : String(value);
}
