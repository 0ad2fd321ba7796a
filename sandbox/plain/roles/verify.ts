import { ORDER } from '../extract';
import { paraphrasesOf } from '../paraphrases';
import { judgedIn } from '../role-inputs';
import type { RoleRequest, Verified } from '../role.types';

const WORD = /[\p{L}\p{N}]+/gu;
const NEGATION = /^(?:not|no|never|without|cannot)$|없|않|아니/;

const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(WORD) ?? [];
const negations = (words: readonly string[]): number =>
  words.filter((word) => NEGATION.test(word)).length;

/** Supported is a sentence whose words all stand in one sentence of its quotes, with as many negations, or what the paraphrasing model makes of them. What a page orders is not stated. */
export function verify({ data }: RoleRequest): Verified {
  return {
    answers: judgedIn(data).map(({ id, sentence, quotes }) => {
      const said = wordsOf(sentence);
      const parts = quotes.flatMap((quote) => quote.split(/(?<=[.!?])\s+|\n/));
      const carries = parts.find((part) => {
        if (ORDER.test(part)) return false;
        const known = wordsOf(part);
        return (
          said.every((word) => known.includes(word)) &&
          negations(said) === negations(known)
        );
      });
      const isSaid = paraphrasesOf(quotes).some(
        (one) => one === sentence || isCell(sentence, one),
      );
      const shown = isSaid ? quotes : parts.filter((part) => part === carries);
      const isStated = shown.length > 0;
      return {
        id,
        words: shown.slice(0, 6).map((one) => one.slice(0, 300)),
        differs: isStated ? '' : sentence.slice(0, 200),
        expression: '',
        verdict: isStated ? 'supported' : 'not_stated',
      };
    }),
  };
}

/** A cell of a table stands after the titles of its row and its column. */
const isCell = (sentence: string, text: string): boolean =>
  sentence.endsWith(`: ${text}`) &&
  sentence.slice(0, -text.length).includes(' — ');
