import type { Heading } from '../page.types';
import { headingText, MAX_HEADINGS } from './headings';

/** Of the height of most letters. Less is emphasis, or another font of the same size. */
const LARGER = 1.15;
/** What is longer in large letters is text. */
const MAX_CHARS = 120;
/** What stands on more pages in the same words is a header of theirs. */
const MAX_REPEATED = 2;
/** Lines that may be headings, of all pages. */
const MAX_LINES = 50_000;
const MAX_LEVEL = 6;

/** What PDF.js gives of a text: words in one font, or a mark of another kind. */
type Item = { str: string; height: number; hasEOL: boolean } | { type: string };

interface Line {
  readonly at: number;
  readonly text: string;
  /** Of its smallest letters: the first of a chapter may be large. */
  readonly height: number;
  /** Whether the line before it, with letters as large, belongs to it. */
  readonly continues: boolean;
}

/** The lines of a PDF by the heights of their letters, which tell its headings from its text. */
export class PdfLines {
  private readonly chars = new Map<number, number>();
  private readonly lines: Line[] = [];
  private last = 0;

  /** @param at where the page begins in the text of the document. @returns its text. */
  add(items: readonly Item[], at: number): string {
    let text = '';
    let begin = 0;
    let height = Infinity;
    for (const item of items) {
      if (!('str' in item)) continue;
      text += item.str;
      if (item.str.trim() !== '') {
        // To a half: the same font is not quite as high everywhere.
        const rounded = Math.round(item.height * 2) / 2;
        const before = this.chars.get(rounded) ?? 0;
        // Turned letters have none.
        if (rounded > 0) this.chars.set(rounded, before + item.str.length);
        height = Math.min(height, rounded);
      }
      if (!item.hasEOL) continue;
      this.end(text.slice(begin), at + begin, height);
      text += '\n';
      [begin, height] = [text.length, Infinity];
    }
    this.end(text.slice(begin), at + begin, height);
    this.last = 0;
    return text;
  }

  /** Short lines of clearly larger letters than most of the text has; the larger, the higher. */
  headings(): Heading[] {
    const least = this.bodyHeight() * LARGER;
    const found: Line[] = [];
    for (const line of this.lines) {
      if (line.height < least) continue;
      const before = line.continues ? found.pop() : undefined;
      const text = before ? `${before.text} ${line.text}` : line.text;
      const at = before?.at ?? line.at;
      found.push({ ...line, at, text: text.slice(0, MAX_CHARS + 1) });
    }
    const times = new Map<string, number>();
    for (const { text } of found) times.set(text, (times.get(text) ?? 0) + 1);
    const kept = found
      .filter(({ text }) => text.length <= MAX_CHARS && /\p{L}/u.test(text))
      .filter(({ text }) => times.get(text)! <= MAX_REPEATED)
      .slice(0, MAX_HEADINGS);
    const heights = [...new Set(kept.map(({ height }) => height))];
    heights.sort((a, b) => b - a);
    return kept.map(({ at, text, height }) => ({
      at,
      level: Math.min(MAX_LEVEL, heights.indexOf(height) + 1),
      text: headingText(text),
    }));
  }

  private end(line: string, at: number, height: number): void {
    const text = line.trim();
    if (text === '') return;
    const continues = height === this.last;
    this.last = height;
    if (this.lines.length >= MAX_LINES) return;
    this.lines.push({
      at: at + line.length - line.trimStart().length,
      text: text.slice(0, MAX_CHARS + 1),
      height,
      continues,
    });
  }

  /** The median of the letters. */
  private bodyHeight(): number {
    const sorted = [...this.chars].sort(([a], [b]) => a - b);
    const all = sorted.reduce((sum, [, chars]) => sum + chars, 0);
    let seen = 0;
    for (const [height, chars] of sorted)
      if ((seen += chars) >= all / 2) return height;
    return Infinity;
  }
}
