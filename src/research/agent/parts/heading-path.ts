import type { Page } from '../agent-ports';

export type Heading = NonNullable<Page['headings']>[number];

/** Levels of a path that are kept, the innermost. */
const MAX_LEVELS = 4;
/** UTF-16 units of one heading in a path. */
const MAX_TEXT = 120;

/** The headings that a place of a page stands under, the outermost first. */
export function headingPath(
  headings: readonly Heading[],
  at: number,
): string[] {
  const path: Heading[] = [];
  for (const heading of headings) {
    if (heading.at > at) break;
    while (path.length > 0 && path.at(-1)!.level >= heading.level) path.pop();
    path.push(heading);
  }
  return path
    .map(({ text }) => text.slice(0, MAX_TEXT).trim().toWellFormed())
    .filter(Boolean)
    .slice(-MAX_LEVELS);
}

/** Where the heading begins that a fragment of the page's address names. */
export function placeOf(
  headings: readonly Heading[],
  fragment: string,
): number | undefined {
  const wanted = new Set([fragment, decoded(fragment)]);
  return headings.find(({ ids }) => ids?.some((id) => wanted.has(id)))?.at;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
