import { codePoints } from '../../platform/message/citation';

/*
 * Marks by which models refer to sources that only their endpoint knows. They mean nothing to a reader, so they are taken
 * out of texts; annotations name the sources.
 */
const PRIVATE = '\ue200[^\ue200\ue201]{0,400}';
const REFERENCE = 'turn\\d{1,4}[a-z]{1,20}\\d{1,4}';
const BRACKET = '【\\d{1,4}(?::\\d{1,4})?†[^【】\\n]{0,200}';
/** With the space before it. */
const MARK = new RegExp(
  ` ?(?:${PRIVATE}\ue201|(?:file)?cite(?:${REFERENCE}){1,20}|${BRACKET}】)`,
  'g',
);
/** The end of a text that may be the beginning of a mark, or of a longer one. */
const BEGINNING = new RegExp(
  ` ?(?:${PRIVATE}|${BRACKET}|【\\d{0,4}|【\\d{1,4}:\\d{0,4}|f|fi|fil|file|(?:file)?(?:c|ci|cit)` +
    `|(?:file)?cite(?:${REFERENCE}){0,20}(?:t|tu|tur|turn\\d{0,4}|turn\\d{1,4}[a-z]{1,20})?)?$`,
);
/** No mark is longer. */
const MAX_MARK = 700;

/** What of the beginning of a text certainly has no mark, without its marks; the rest is to be put before what follows. */
export function splitMarks(text: string): { text: string; rest: string } {
  const from = Math.max(0, text.length - MAX_MARK);
  const at = from + BEGINNING.exec(text.slice(from))!.index;
  return { text: withoutMarks(text.slice(0, at)), rest: text.slice(at) };
}

export function withoutMarks(text: string): string {
  return text.replace(MARK, '');
}

/**
 * Moves ranges of a text to where they are in the text without its marks. A range of marks alone becomes the character
 * before it, or is dropped where there is none.
 */
export function movedByMarks<
  T extends { start_index: number; end_index: number },
>(ranges: readonly T[], text: string): T[] {
  const marks = marksIn(text);
  if (marks.length === 0) return [...ranges];
  const moved = (offset: number): number => {
    let [low, high] = [0, marks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (marks[middle].start < offset) low = middle + 1;
      else high = middle;
    }
    const mark = marks[low - 1];
    return mark
      ? offset - mark.before - Math.min(mark.length, offset - mark.start)
      : offset;
  };
  return ranges.flatMap((range) => {
    const end_index = moved(range.end_index);
    const start_index = Math.min(moved(range.start_index), end_index - 1);
    return start_index < 0 ? [] : [{ ...range, start_index, end_index }];
  });
}

interface PlacedMark {
  /** In code points, as all of these. */
  start: number;
  length: number;
  /** Of all marks before it. */
  before: number;
}

function marksIn(text: string): PlacedMark[] {
  let [read, start, before] = [0, 0, 0];
  return [...text.matchAll(MARK)].map(({ 0: mark, index }) => {
    start += codePoints(text.slice(read, index));
    read = index;
    const placed = { start, length: codePoints(mark), before };
    before += placed.length;
    return placed;
  });
}
