import { ownTurn } from '../../../platform/own-turn';
import type { BoundSection, BoundSentence } from '../agent.types';
import { kept } from './section-layout';

/** Of the words of the longer of two sentences, those that both have, from which on they say the same of the same notes. */
const ALIKE = 0.8;
/** Shorter sentences are alike by chance. */
const MIN_WORDS = 5;

/**
 * The section without the sentences that an earlier one has said: in the same words, or in nearly the same with the same
 * numbers, of a note that both rest on. Cells stay, for a table is nothing with holes.
 * Other work gets its turn after each sentence.
 * @param earlier sections that come before.
 */
export async function withoutRepeats(
  section: BoundSection,
  earlier: readonly BoundSection[],
): Promise<BoundSection> {
  const said = earlier.flatMap((one) => proseOf(one).map(shapeOf));
  const repeated = new Set<BoundSentence>();
  for (const sentence of proseOf(section)) {
    const shape = shapeOf(sentence);
    if (said.some((one) => isRepeat(shape, one))) repeated.add(sentence);
    else said.push(shape);
    await ownTurn();
  }
  return kept(section, (sentence) => !repeated.has(sentence));
}

interface Shape {
  words: ReadonlySet<string>;
  text: string;
  numbers: string;
  notes: ReadonlySet<string>;
}

function proseOf({ sentences, layout }: BoundSection): BoundSentence[] {
  if (!layout) return [...sentences];
  return layout.flatMap((block) => {
    if (block.type === 'paragraph')
      return block.sentences.map((at) => sentences[at]);
    return block.type === 'list' ? block.items.map((at) => sentences[at]) : [];
  });
}

function shapeOf({ text, noteIds }: BoundSentence): Shape {
  const folded = text.normalize('NFKC').toLowerCase();
  const words = folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const numbers = folded.match(/\p{N}+/gu) ?? [];
  return {
    words: new Set(words),
    text: words.join(' '),
    numbers: numbers.toSorted().join(' '),
    notes: new Set(noteIds),
  };
}

function isRepeat(one: Shape, other: Shape): boolean {
  if (one.words.size < MIN_WORDS) return false;
  if (one.text === other.text) return true;
  if (one.numbers !== other.numbers || inBoth(one.notes, other.notes) === 0)
    return false;
  const shared = inBoth(one.words, other.words);
  return shared >= ALIKE * Math.max(one.words.size, other.words.size);
}

function inBoth(
  some: ReadonlySet<string>,
  others: ReadonlySet<string>,
): number {
  return [...some].filter((one) => others.has(one)).length;
}
