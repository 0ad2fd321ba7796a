import type { Range } from '../agent.types';
import { ownTurn } from '../../../platform/own-turn';
import { type Line, linesOf, type PageText, shownWords } from './lines';

/** A part of a page that is read at once: whole lines. */
export type Part = Range;

/** Between two turns, in UTF-16 units; each line is as much work as some of them. */
const SLICE = 10_000;
const PER_LINE = 50;
/** A part is at least so full before it ends at a heading or a paragraph. */
const LEAST_FULL = 0.5;
/** Of a part, what the next one repeats where no heading divides them. */
const OVERLAP = 0.1;
/** As wide as the marks of numbers are. */
const MARK = '[100] ';

interface Counted extends Line {
  tokens: number;
  /** After an empty line. */
  opens: boolean;
}

/**
 * A page in parts of at most `tokens` each, with their numbers. They end before a heading where one is near, the highest first,
 * else at the end of a paragraph, else of a line, and then overlap. Other work gets its turn.
 */
export async function partsOf(
  page: PageText,
  tokens: number,
  count: (text: string) => number,
): Promise<Part[]> {
  const lines = await countedLines(page, count);
  const parts: Part[] = [];
  for (let from = 0; from < lines.length;) {
    const to = endOf(lines, from, tokens);
    parts.push({ start: lines[from].start, end: lines[to - 1].end });
    if (to === lines.length) break;
    from = Math.max(from + 1, to - repeated(lines, to, tokens * OVERLAP));
    await ownTurn();
  }
  return parts;
}

async function countedLines(
  page: PageText,
  count: (text: string) => number,
): Promise<Counted[]> {
  const lines: Counted[] = [];
  let work = 0;
  let end = 0;
  for (const line of linesOf(page)) {
    const opens = /\n\s*\n/.test(page.text.slice(end, line.start));
    lines.push({ ...line, tokens: lineTokens(page, line, count), opens });
    ({ end } = line);
    work += line.end - line.start + PER_LINE;
    if (work < SLICE) continue;
    work = 0;
    await ownTurn();
  }
  return lines;
}

/** Of a line as a model is shown it, at most. */
export function lineTokens(
  { text }: PageText,
  line: Range,
  count: (text: string) => number,
): number {
  return count(MARK + shownWords(text, line));
}

/** The line that begins the next part. */
function endOf(lines: readonly Counted[], from: number, most: number): number {
  let tokens = 0;
  let to = from;
  let [heading, paragraph]: (number | undefined)[] = [];
  for (; to < lines.length; to += 1) {
    const line = lines[to];
    const mayEnd = tokens >= most * LEAST_FULL;
    if (mayEnd && line.opens) paragraph = to;
    if (mayEnd && line.level && !(lines[heading ?? to].level! < line.level))
      heading = to;
    tokens += line.tokens;
    if (tokens > most && to > from) break;
  }
  return to === lines.length ? to : (heading ?? paragraph ?? to);
}

/** How many lines before this one are repeated. */
function repeated(lines: readonly Counted[], at: number, most: number): number {
  if (lines[at].level) return 0;
  let tokens = 0;
  let count = 0;
  while (count < at) {
    tokens += lines[at - count - 1].tokens;
    if (tokens > most) break;
    count += 1;
  }
  return count;
}
