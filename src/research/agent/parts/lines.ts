import type { Range } from '../agent.types';
import type { Heading } from './heading-path';
import { MAX_SENTENCE, ROW, sentencesOf } from './sentences';

/** A sentence, table row, list item or heading of a page. */
export interface Line extends Range {
  /** Of a heading. */
  level?: number;
}

export interface PageText {
  text: string;
  /** In the order of the text. */
  headings: readonly Heading[];
}

/** A longer one is a paragraph in the markup of a heading. */
const MAX_HEADING = 200;

/** The lines of a part of a page, as a model is shown them. */
export function* linesOf(
  { text, headings }: PageText,
  range?: Range,
): Generator<Line> {
  const places = headings.map(({ at }) => at);
  let next = 0;
  for (const sentence of sentencesOf(text, range, places)) {
    while (next < places.length && places[next] < sentence.start) next += 1;
    const { start, end } = sentence;
    const isHeading = places[next] < end && end - start <= MAX_HEADING;
    yield isHeading ? { ...sentence, level: headings[next].level } : sentence;
  }
}

/** A line as a model is shown it: the cells of a row stay apart. */
export function shownWords(text: string, { start, end }: Range): string {
  const cells = text.slice(start, end).replaceAll('\t', ' | ');
  return cells.replace(/\s+/g, ' ');
}

/** One line each: sentences with their numbers, from 1; headings as in Markdown. */
export function shownLines(text: string, lines: readonly Line[]): string {
  let number = 0;
  return lines
    .map((line) => {
      const words = shownWords(text, line);
      if (line.level) return `${'#'.repeat(Math.min(line.level, 6))} ${words}`;
      number += 1;
      return `[${number}] ${words}`;
    })
    .join('\n');
}

/**
 * The passage that numbers name: of those that follow each other, the ones around the first, as many as a quote may have.
 * Undefined where one of them is no line's.
 */
export function passageOf(
  lines: readonly Line[],
  numbers: readonly number[],
): Range | undefined {
  const places = lines.flatMap(({ level }, at) => (level ? [] : at));
  const named = numbers.map((number) => places[number - 1]);
  if (named.length === 0 || named.includes(undefined!)) return undefined;
  const wanted = new Set(named);
  let [first, last] = [named[0], named[0]];
  const isPart = (from: number, to: number): boolean =>
    lines[to].end - lines[from].start <= MAX_SENTENCE;
  while (wanted.has(last + 1) && isPart(first, last + 1)) last += 1;
  while (wanted.has(first - 1) && isPart(first - 1, last)) first -= 1;
  return { start: lines[first].start, end: lines[last].end };
}

/** The sentence before a place of the page; of a table row, the first row of its table. Empty if there is none near. */
export function lineBefore({ text, headings }: PageText, at: number): string {
  const header = headerRow(text, at);
  if (header) return text.slice(header.start, header.end).trim().toWellFormed();
  const range = { start: Math.max(0, at - 2 * MAX_SENTENCE), end: at };
  const before = [...linesOf({ text, headings }, range)].at(-1);
  return before && !before.level ? text.slice(before.start, before.end) : '';
}

/** Rows between a row and the first one of its table, at most. */
const MAX_ROWS = 5_000;

/** The first row of the table in which a place of the page is; undefined in that row itself, and outside of tables. */
export function headerRow(text: string, at: number): Range | undefined {
  const begin = text.lastIndexOf('\n', at - 1) + 1;
  const line = text.slice(begin, begin + MAX_SENTENCE).split('\n', 1)[0];
  if (!ROW.test(line)) return undefined;
  let header: Range | undefined;
  let from = begin;
  for (let row = 0; row < MAX_ROWS && from > 0; row += 1) {
    const stop = from - 1;
    from = text.lastIndexOf('\n', stop - 1) + 1;
    if (!ROW.test(text.slice(from, Math.min(stop, from + MAX_SENTENCE)))) break;
    header = { start: from, end: Math.min(stop, from + MAX_SENTENCE) };
  }
  return header;
}
