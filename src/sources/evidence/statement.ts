import { quantitiesOf } from './numbers/quantities';
import type { Quantity } from './numbers/quantity';
import { clauseStarts } from './words/clauses';
import { conceptsOf } from './words/concepts';
import { EN_STOP, englishStem, isSameEnglish } from './words/english';
import { isKoreanStop, isSameKorean, koreanStem } from './words/korean';
import { type Language, sentenceLanguage } from './words/sentence-language';
import { marksOf } from './words/polarity-marks';

/** Pairs of words, numbers and clauses that one comparison may look at; an ordinary sentence takes some thousands. */
export const MAX_STEPS = 150_000;

/** More would have to be compared than `MAX_STEPS` allows. */
export class TooMuchToCompare extends Error {}

/**
 * Counts the work of one comparison, so that no text, whatever a page or a model wrote, occupies the process for long.
 * Counted, not timed: the same texts have the same verdict on every machine.
 */
export class Steps {
  private left = MAX_STEPS;

  get taken(): number {
    return MAX_STEPS - this.left;
  }

  /** @throws TooMuchToCompare */
  take(count: number): void {
    this.left -= count;
    if (this.left < 0) throw new TooMuchToCompare();
  }
}

export interface Word {
  readonly text: string;
  readonly stem: string;
  readonly start: number;
  readonly clause: number;
  readonly concepts: readonly string[];
  /** Written like a proper name, or Latin within Korean. */
  readonly isName: boolean;
  /** A name that is no name by its place alone: the first word of a sentence. */
  readonly isFirst: boolean;
  /** Marked as the topic of a Korean sentence. */
  readonly isTopic: boolean;
}

/** What can be compared of a sentence or a quote. */
export interface Statement {
  /** Of the comparison that it is part of. */
  readonly steps: Steps;
  readonly text: string;
  readonly language: Language;
  readonly words: readonly Word[];
  readonly quantities: readonly (Quantity & { readonly clause: number })[];
  /** Clauses that have words. */
  readonly worded: ReadonlySet<number>;
  /** Steps that it takes to compare one word with all of these. */
  readonly stepsPerWord: number;
  /** Clauses that begin with a pronoun: their subject is in the clause before. */
  readonly pronouns: ReadonlySet<number>;
  /** Per clause. */
  readonly negations: readonly number[];
  readonly hedges: readonly number[];
}

const WORD =
  /[가-힣]+|[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{M}\p{N}]*(?:[-'’.&][\p{Script=Latin}\p{N}]+){0,6}[+#]{0,2}|[^\P{L}가-힣\p{Script=Latin}]+/gu;
const PRONOUN =
  /^\s*(?:(?:and|but|then)\s+)?(?:it|its|they|their|he|his|she|her|this|these|which|who)\b|^\s*(?:이는|이를|그는|그것|이들)/i;
const MAX_WORDS = 600;
/** To read a character or a number of a text takes about as long as so many comparisons. */
const [STEPS_PER_CHAR, STEPS_PER_NUMBER] = [4, 40];

export function statementOf(original: string, steps = new Steps()): Statement {
  const text = withPlainSpaces(original.normalize('NFC'));
  steps.take(text.length * STEPS_PER_CHAR);
  for (const _ of text.matchAll(/\p{N}+/gu)) steps.take(STEPS_PER_NUMBER);
  const language = sentenceLanguage(text);
  const found = quantitiesOf(text);
  const masked = withoutQuantities(text, found);
  const bare = wordsOf(masked, language);
  const clauses = clausesWith(clauseStarts(masked), [...bare, ...found]);
  const clauseOf = (at: number): number => Math.max(0, lastUpTo(clauses, at));
  const perClause = (marks: readonly number[]): number[] => {
    const counts = clauses.map(() => 0);
    for (const at of marks) counts[clauseOf(at)] += 1;
    return counts;
  };
  const { negations, hedges } = marksOf(masked);
  const words = bare.map((word) => ({ ...word, clause: clauseOf(word.start) }));
  return {
    steps,
    text,
    language,
    words,
    worded: new Set(words.map(({ clause }) => clause)),
    stepsPerWord: words.reduce((sum, word) => sum + stepsOf(word), 0),
    quantities: found.map((one) => ({ ...one, clause: clauseOf(one.start) })),
    pronouns: new Set(
      [...clauses.keys()].filter((index) =>
        PRONOUN.test(masked.slice(clauses[index], clauses[index] + 24)),
      ),
    ),
    negations: perClause(negations),
    hedges: perClause(hedges),
  };
}

/** A blank line ends a clause; every other line end is a space. */
function withPlainSpaces(text: string): string {
  return text
    .trim()
    .replace(/[ \t\n\r\f\v]+/g, (run) => (/\n\s*\n/.test(run) ? '\n' : ' '));
}

/** A dot for every character of a number or date, so that offsets stay and its letters are no words. */
function withoutQuantities(text: string, found: readonly Quantity[]): string {
  let [masked, at] = ['', 0];
  for (const { start, end } of found) {
    masked += text.slice(at, start) + '·'.repeat(end - start);
    at = end;
  }
  return masked + text.slice(at);
}

/** Clauses without a word or number belong to the one before. */
function clausesWith(
  starts: readonly number[],
  held: readonly { start: number }[],
): number[] {
  const filled = new Set(held.map((one) => lastUpTo(starts, one.start)));
  const kept = starts.filter((_, index) => filled.has(index));
  return kept.length === 0 ? [0] : [0, ...kept.slice(1)];
}

/** The index of the last of ascending offsets that is not behind `at`; -1 where all are. */
function lastUpTo(offsets: readonly number[], at: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function wordsOf(text: string, language: Language): Omit<Word, 'clause'>[] {
  const words: Omit<Word, 'clause'>[] = [];
  let isFirst = true;
  for (const match of text.matchAll(WORD)) {
    if (words.length >= MAX_WORDS) break;
    for (const part of partsOf(match[0])) {
      const word = wordAt(part, match.index, language, isFirst);
      if (word) words.push(word);
      isFirst = false;
    }
  }
  return words;
}

/** "full-time" is two words; "GPT-4" is one. */
function partsOf(text: string): string[] {
  return /\p{N}/u.test(text) ? [text] : text.split('-');
}

function wordAt(
  text: string,
  start: number,
  language: Language,
  isFirst: boolean,
): Omit<Word, 'clause'> | undefined {
  if (beginsWithHangul(text)) {
    const concepts = conceptsOf(text, text);
    if (concepts.length === 0 && isKoreanStop(text)) return undefined;
    return {
      text,
      stem: koreanStem(text),
      start,
      concepts,
      isName: false,
      isFirst,
      isTopic: /.[은는]$/.test(text),
    };
  }
  const bare = text.replace(/\.(?=\p{L}(?:\.|$))/gu, '');
  const lower = bare.toLowerCase();
  const stem = englishStem(lower);
  const concepts = conceptsOf(lower, stem);
  const isCapital = /^\p{Lu}/u.test(bare);
  const isMarked = /\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}|\p{N}/u.test(bare);
  const isStop =
    EN_STOP.has(lower) &&
    concepts.length === 0 &&
    !(isMarked && bare.length > 1) &&
    !(language === 'ko' && isCapital && bare.length === 1);
  if (isStop || (bare.length === 1 && !isCapital && /[a-z]/.test(bare)))
    return undefined;
  const isName =
    isMarked ||
    (language === 'ko' ? bare.length > 1 || isCapital : isCapital && !isFirst);
  return { text: bare, stem, start, concepts, isName, isFirst, isTopic: false };
}

/** Whether two words are forms of one word, or mean the same by the table of concepts. */
export function isSameWord(left: Word, right: Word): boolean {
  const isHangul = beginsWithHangul(left.text);
  if (isHangul !== beginsWithHangul(right.text))
    return sharesConcept(left, right);
  if (left.isName && /\p{N}/u.test(left.text))
    return left.text.toLowerCase() === right.text.toLowerCase();
  const isSame = isHangul ? isSameKorean : isSameEnglish;
  return isSame(left.stem, right.stem) || sharesConcept(left, right);
}

/** Korean forms are compared by their letters. */
function stepsOf({ text, stem }: Word): number {
  return (beginsWithHangul(text) ? 4 : 1) + stem.length / 8;
}

function beginsWithHangul(text: string): boolean {
  const code = text.charCodeAt(0);
  return code >= 0xac00 && code <= 0xd7a3;
}

function sharesConcept(left: Word, right: Word): boolean {
  return left.concepts.some((concept) => right.concepts.includes(concept));
}
