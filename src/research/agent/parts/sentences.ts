import type { Range } from '../agent.types';

/** A quote is evidence, not a copy of the page: a longer sentence is divided. */
export const MAX_SENTENCE = 600;
/** So much is looked at at once: a page may be one line. */
const MAX_BLOCK = 10_000;
/** A shorter piece is the number of an item, an initial or an abbreviation, and stands with what follows it. */
const MIN_SENTENCE = 12;
/** A shorter line ends where its sentence ends, else it may be wrapped. */
const MIN_WRAPPED = 40;

/** The cells of a table row stand between these. */
export const ROW = /\t| \| /;
const ITEM = /^\s*(?:[-*•·◦▪‣–—#>|]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/;
const ENDED = /[.!?。！？:;…]["'”’»」』)\]]*$/;
const BEGINS = /^\s*\p{Lu}/u;
const ABBREVIATED = /(?:^|[\s.(])\p{Lu}\.\s*$/u;
/** Where a long sentence may be divided, the best first. */
const BREAKS = [/[;:.!?。！？]\s+/g, /[,、，]\s*/g, /\s+/g];

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * The sentences of a range of a text, in any language. Table rows, list items and headings are sentences. None is longer than
 * `MAX_SENTENCE`, and none begins or ends with white space.
 * @param headings where headings begin; a sentence ends before each, and each is one by itself.
 */
export function* sentencesOf(
  text: string,
  range: Range = { start: 0, end: text.length },
  headings: readonly number[] = [],
): Generator<Range> {
  for (const block of blocksOf(text, range, headings)) {
    const part = text.slice(block.start, block.end);
    const isOne = part.length < 2 * MIN_SENTENCE || ROW.test(part);
    const lengths = isOne ? [part.length] : piecesOf(part);
    let { start } = block;
    for (const length of lengths) {
      yield* divided(text, trimmed(text, { start, end: start + length }));
      start += length;
    }
  }
}

/** Lines, with those that continue them. */
function* blocksOf(
  text: string,
  range: Range,
  headings: readonly number[],
): Generator<Range> {
  let next = 0;
  let block: Range | undefined;
  let wasHeading = false;
  let last = '';
  for (const line of rawLines(text, range)) {
    const content = text.slice(line.start, line.end);
    while (next < headings.length && headings[next] < line.start) next += 1;
    const isHeading = headings[next] < line.end;
    const continues =
      block &&
      !wasHeading &&
      !isHeading &&
      !line.opens &&
      line.end - block.start <= MAX_BLOCK &&
      isContinued(last, content);
    if (block && !continues) yield block;
    block = { start: continues ? block!.start : line.start, end: line.end };
    wasHeading = isHeading;
    last = content;
  }
  if (block) yield block;
}

interface RawLine extends Range {
  /** After an empty line. */
  opens: boolean;
}

/** The lines of a range that have words, from the first of these; of a line that is too long, its pieces. */
function* rawLines(text: string, { start, end }: Range): Generator<RawLine> {
  const blank = /\s*/y;
  for (let from = start; from < end;) {
    blank.lastIndex = from;
    const space = blank.exec(text)![0];
    const at = from + space.length;
    const opens = space.includes('\n');
    if (at >= end) return;
    const found = text.indexOf('\n', at);
    const stop = found < 0 ? end : Math.min(found, end);
    if (stop - at > MAX_BLOCK) {
      const cut = cutAt(text, at, MAX_BLOCK);
      yield { start: at, end: cut, opens };
      from = cut;
    } else {
      yield { start: at, end: stop, opens };
      from = stop + 1;
    }
  }
}

/** Whether a line ends within a sentence: texts of PDF files and plain texts are wrapped. */
function isContinued(line: string, next: string): boolean {
  const ended = line.trimEnd();
  return (
    ended.length >= MIN_WRAPPED &&
    !ENDED.test(ended) &&
    !BEGINS.test(next) &&
    ![line, next].some((one) => ROW.test(one)) &&
    !ITEM.test(next)
  );
}

/** The lengths of the sentences of a block. */
function piecesOf(block: string): number[] {
  const pieces: number[] = [];
  let open = 0;
  for (const { segment } of segmenter.segment(block)) {
    open += segment.length;
    // It takes each line break for an end.
    const isOpen =
      segment.trim().length < MIN_SENTENCE ||
      ABBREVIATED.test(segment) ||
      (segment.endsWith('\n') && !ENDED.test(segment.trimEnd()));
    if (isOpen) continue;
    pieces.push(open);
    open = 0;
  }
  if (open === 0) return pieces;
  // The end of the block, where it is short, belongs to the sentence before it; the mark of a footnote does not.
  const isShort = open < MIN_SENTENCE && /\p{L}/u.test(block.slice(-open));
  const before = isShort ? pieces.pop() : undefined;
  return [...pieces, (before ?? 0) + open];
}

function trimmed(text: string, { start, end }: Range): Range {
  const part = text.slice(start, end);
  const length = part.trim().length;
  const from = start + part.length - part.trimStart().length;
  return { start: from, end: from + length };
}

function* divided(text: string, { start, end }: Range): Generator<Range> {
  let at = start;
  while (end - at > MAX_SENTENCE) {
    const cut = cutAt(text, at, MAX_SENTENCE);
    const piece = trimmed(text, { start: at, end: cut });
    if (piece.end > piece.start) yield piece;
    at = cut;
  }
  const rest = trimmed(text, { start: at, end });
  if (rest.end > rest.start) yield rest;
}

/** The end of the first `size` units, at a break if there is one in their second half; never within a character. */
function cutAt(text: string, start: number, size: number): number {
  const part = text.slice(start, start + size);
  for (const pattern of BREAKS) {
    const hit = [...part.matchAll(pattern)].at(-1);
    const last = hit ? hit.index + hit[0].length : 0;
    if (last > size / 2) return start + last;
  }
  return start + (/[\ud800-\udbff]$/.test(part) ? size - 1 : size);
}
