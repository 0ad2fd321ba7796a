import { ownTurn } from '../../../platform/own-turn';
import { overlap } from './terms';

/** A part of a page's text, in UTF-16 units. */
export interface Window {
  start: number;
  end: number;
}

/** Where a text may be divided, the best first. */
const BREAKS = [/\n\s*\n/g, /\n/g, /[.!?。！？]\s+/g, /\s/g];

/**
 * The parts of a page of at most `size` units that say most about the wanted terms, in the order of the page. Other work gets its
 * turn after each part.
 */
export async function relevantWindows(
  text: string,
  size: number,
  count: number,
  wanted: ReadonlySet<string>,
): Promise<Window[]> {
  const scored: { window: Window; at: number; score: number }[] = [];
  for (const window of windowsOf(text, size)) {
    const score = overlap(text.slice(window.start, window.end), wanted);
    const at = scored.length;
    // The head of a page says what it is about.
    scored.push({ window, at, score: at === 0 ? score * 1.2 + 0.5 : score });
    await ownTurn();
  }
  return scored
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, count)
    .toSorted((a, b) => a.at - b.at)
    .map(({ window }) => window);
}

/** The whole text in parts that end at the end of a paragraph where one is near, else of a line, sentence or word. */
export function* windowsOf(text: string, size: number): Generator<Window> {
  for (let start = 0; start < text.length;) {
    const end =
      text.length - start <= size ? text.length : cutAt(text, start, size);
    if (text.slice(start, end).trim()) yield { start, end };
    start = end;
  }
}

function cutAt(text: string, start: number, size: number): number {
  const part = text.slice(start, start + size);
  for (const pattern of BREAKS) {
    const hit = [...part.matchAll(pattern)].at(-1);
    const last = hit ? hit.index + hit[0].length : 0;
    if (last > size / 2) return start + last;
  }
  const splitsPair = /[\ud800-\udbff]$/.test(part);
  return start + Math.max(splitsPair ? size - 1 : size, 1);
}
