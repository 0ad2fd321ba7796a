import type { Note } from '../agent.types';
import { noteLine } from '../prompts/wishes';
import { overlap, termsOf } from './terms';

/** The most important notes that fit, of equal ones those that say most about `about`; whole and in their order. */
export function fittingNotes(
  notes: readonly Note[],
  about: string,
  fits: (lines: string[]) => boolean,
): Note[] {
  if (fits(notes.map(noteLine))) return [...notes];
  const wanted = new Set(termsOf(about));
  const ranked = notes
    .map((note, at) => ({ note, at, score: overlap(note.claim, wanted) }))
    .toSorted(
      (a, b) =>
        b.note.importance - a.note.importance ||
        b.score - a.score ||
        a.at - b.at,
    );
  const lines = ranked.map(({ note }) => noteLine(note));
  const count = mostThatFit(lines.length, (n) => fits(lines.slice(0, n)));
  return ranked
    .slice(0, count)
    .toSorted((a, b) => a.at - b.at)
    .map(({ note }) => note);
}

/** The most of `all` things that fit, where fewer fit as well; by halving, for each try looks at all of them. */
export function mostThatFit(
  all: number,
  fits: (count: number) => boolean,
): number {
  let [low, high] = [0, all];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The notes without those that have the words of an earlier one: parts of a page overlap, and pages are copied. */
export function distinctNotes<T extends Pick<Note, 'quote'>>(
  notes: readonly T[],
): T[] {
  const seen = new Set<string>();
  return notes.filter(({ quote }) => {
    const words = quote.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
    const isNew = !seen.has(words.trim());
    seen.add(words.trim());
    return isNew;
  });
}
