import { compute } from './arithmetic';
import {
  bounded,
  type Compared,
  evidenceOf,
  foldedEvidence,
  isWhole,
  stands,
} from './compared';
import { fold } from './fold';
import { ABOUT } from './number-vetoes';
import { exact, type Numeral, numeralsOf, valuesOf } from './numbers';
import { spelledNumbers } from './spelled';

/** Whether every passage stands in the quotes, the headings or the sentences before. One that is shortened is its parts. */
export function isShown(words: readonly string[], given: Compared): boolean {
  const parts = partsOf(words);
  const folded = foldedEvidence(given);
  return parts.length > 0 && parts.every((one) => stands(one, folded));
}

/** Whether the words that are named as wrong or missing stand in the sentence or in what it is compared with. */
export function isNamed(differs: string, given: Compared): boolean {
  const parts = partsOf([differs]);
  const sentence = fold(bounded(given).sentence).text;
  return (
    parts.length > 0 &&
    parts.every(
      (one) => stands(one, sentence) || stands(one, foldedEvidence(given)),
    )
  );
}

function partsOf(words: readonly string[]): string[] {
  return words
    .flatMap((one) => one.split(/\s*(?:…|\.{3}|\[\.\.\.\]|›)\s*/))
    .map((one) => one.replace(/^["'“”‘’\s]+|["'“”‘’\s.,;]+$/g, ''))
    .filter((one) => one !== '');
}

/** Counts, months and constants that an expression may have and no quote. */
const FREE = new Set([24, 30, 31, 52, 60, 90, 100, 365, 366, 1000, 3600]);
const MAX_FREE = 12;

/** Whether an expression has numbers of the quotes alone, and its value is a number of the sentence, as exact as that is. */
export function isComputed(expression: string, given: Compared): boolean {
  const computed = compute(expression);
  if (!computed || computed.numbers.length < 2 || !isWhole(given)) return false;
  const evidence = evidenceOf(given);
  const known = new Set(valuesOf(evidence));
  const isKnown = (one: number): boolean =>
    known.has(exact(one)) ||
    FREE.has(one) ||
    (Number.isInteger(one) && one <= MAX_FREE);
  if (!computed.numbers.every(isKnown)) return false;
  const value = Math.abs(computed.value);
  const { sentence } = given;
  const isAbout = ABOUT.test(sentence);
  const isSame = ({ value: stated, step, unit }: Numeral): boolean =>
    [value, value * 100].some((one) => {
      const room = Math.max((isAbout ? step : unit) / 2, one / 1e9);
      return Math.abs(one - stated) <= room * 1.000001;
    });
  return (
    numeralsOf(sentence).some(isSame) ||
    spelledNumbers(sentence).some(
      (stated) => Math.abs(value - stated) <= stated / 10,
    )
  );
}
