import type { Note } from '../agent.types';
import { noteLine } from '../prompts/wishes';
import { overlap, termsOf } from './terms';

/** The notes that say most about `about` and fit, whole and in their order. */
export function fittingNotes(
  notes: readonly Note[],
  about: string,
  fits: (lines: string[]) => boolean,
): Note[] {
  if (fits(notes.map(noteLine))) return [...notes];
  const wanted = new Set(termsOf(about));
  const ranked = notes
    .map((note, at) => ({ note, at, score: overlap(note.claim, wanted) }))
    .toSorted((a, b) => b.score - a.score || a.at - b.at);
  let [low, high] = [0, ranked.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const lines = ranked.slice(0, middle).map(({ note }) => noteLine(note));
    if (fits(lines)) low = middle;
    else high = middle - 1;
  }
  return ranked
    .slice(0, low)
    .toSorted((a, b) => a.at - b.at)
    .map(({ note }) => note);
}

/** The notes without those that repeat the same words of a page. */
export function distinctNotes<T extends Pick<Note, 'quote' | 'claim'>>(
  notes: readonly T[],
): T[] {
  const seen = new Set<string>();
  return notes.filter(({ quote, claim }) => {
    const key = [claim, quote].map((one) => termsOf(one).join(' ')).join('|');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
