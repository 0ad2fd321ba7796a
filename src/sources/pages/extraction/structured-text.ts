import type { Heading } from '../page.types';
import type { StructuredText } from './extraction.types';
import { tidy } from './page-text';

/** The text as `tidy` gives it, with its headings where they are then; those beyond `maxChars` are left out. Headings begin lines. */
export function tidyStructured(
  { text, headings = [] }: StructuredText,
  maxChars: number,
): { text: string; headings: Heading[] } {
  const cuts = new Set(headings.map(({ at }) => at));
  const { tidied, places } = tidyPieces(
    text,
    [...cuts].sort((a, b) => a - b),
  );
  return {
    text: tidied,
    headings: headings
      .map((heading) => ({ ...heading, at: places.get(heading.at)! }))
      .filter(({ at }) => at < Math.min(tidied.length, maxChars)),
  };
}

/** Piece by piece, so that the place of each cut is known. */
function tidyPieces(
  text: string,
  cuts: readonly number[],
): { tidied: string; places: ReadonlyMap<number, number> } {
  const parts: string[] = [];
  const places = new Map<number, number>();
  let length = 0;
  let lines = 0;
  [0, ...cuts].forEach((at, index) => {
    const piece = text.slice(at, cuts[index] ?? text.length);
    const gap = length === 0 ? '' : lines > 1 ? '\n\n' : '\n';
    const tidied = tidy(piece);
    places.set(at, length + gap.length);
    const ending = piece.slice(piece.trimEnd().length).split('\n').length - 1;
    lines = tidied === '' ? lines + ending : ending;
    if (tidied === '') return;
    parts.push(gap, tidied);
    length += gap.length + tidied.length;
  });
  return { tidied: parts.join(''), places };
}
