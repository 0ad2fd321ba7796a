import type { Mark } from './numbered';
import { cleanText, safeHref } from './clean';

/** Punctuation, so that emphasis beside a marker is read as without it. */
const [OPEN, CLOSE] = ['\u2e28', '\u2e29'];
/** A marker of a citation in the text that is parsed. */
export const MARKER = /\u2e28(\d{1,9})\u2e29/g;

const MAX_REFERENCE = 4_000;
/** One or more links and nothing else, perhaps in parentheses. */
const REFERENCE =
  /^\(?(?:\[(?:\\.|[^\]\\])*\]\([^()\s]*(?:\s"[^"]*")?\)[,;\s]*)+\)?$/;
/** What a line can begin with before its text: a marker there would change what it is. */
const LINE_START =
  /^[\s>]*(?:`{3,}|~{3,}|[-=*_+|:\s]*|\d{1,9}[.)]\s*|#{1,6}\s*)$/;
const MAX_LINE_START = 200;

interface Edit {
  start: number;
  end: number;
  number: number;
}

/**
 * The text with a marker for each citation, at the end of what it cites. A link to the page itself is replaced by the
 * marker. Cleaned piece by piece, for the offsets count the text as it was.
 */
export function markedText(text: string, marks: readonly Mark[]): string {
  const edits = inUnits(text, marks).flatMap((mark) => editsOf(text, mark));
  edits.sort((a, b) => a.end - b.end || a.start - b.start);
  let result = '';
  let at = 0;
  for (const { start, end, number } of edits) {
    if (start > at) result += piece(text.slice(at, start));
    at = Math.max(at, end);
    if (number > 0) result += `${OPEN}${number}${CLOSE}`;
  }
  return result + piece(text.slice(at));
}

/** Also of titles and the like, which hold no markers. */
function piece(text: string): string {
  return cleanText(text).replaceAll(OPEN, '((').replaceAll(CLOSE, '))');
}

/** The mark of a text for its source, such as `[1]`, gives way to the number of the citation, at its sentence. */
const OWN_MARK = /(?: |, )?\[\d{1,4}\]$/;

function editsOf(text: string, mark: Mark): Edit[] {
  const { start, end, place } = mark;
  if (place === undefined) return [editOf(text, mark)];
  const at = editOf(text, { ...mark, start: place, end: place });
  const own = OWN_MARK.exec(text.slice(Math.max(0, start - 2), end));
  const isMark = own !== null && place <= start;
  if (!isMark) return [editOf(text, mark)];
  return [at, { start: end - own[0].length, end, number: 0 }];
}

/** Code points become UTF-16 units, within the text. */
function inUnits(text: string, marks: readonly Mark[]): Mark[] {
  const wanted = [
    ...new Set(
      marks.flatMap(({ start, end, place = 0 }) => [start, end, place]),
    ),
  ].sort((a, b) => a - b);
  const units = new Map<number, number>();
  let [unit, point] = [0, 0];
  for (const offset of wanted) {
    while (point < offset && unit < text.length) {
      unit += text.codePointAt(unit)! > 0xffff ? 2 : 1;
      point += 1;
    }
    units.set(offset, unit);
  }
  return marks.map((mark) => ({
    ...mark,
    start: units.get(mark.start)!,
    end: units.get(mark.end)!,
    ...(mark.place !== undefined && { place: units.get(mark.place)! }),
  }));
}

/** Number 0: no place was found. */
function editOf(text: string, { number, start, end, href }: Mark): Edit {
  if (isReference(text.slice(start, end), href)) return { start, end, number };
  let place = end;
  for (;;) {
    while (place > 0 && /[\s|]/.test(text[place - 1])) place -= 1;
    if (place === 0) return { start: 0, end: 0, number: 0 };
    const line = text.lastIndexOf('\n', place - 1) + 1;
    const isInText =
      place - line > MAX_LINE_START ||
      !LINE_START.test(text.slice(line, place));
    if (isInText) return { start: place, end: place, number };
    place = line;
  }
}

/** Whether the range is only links to the page that it cites. */
function isReference(range: string, href: string | null): boolean {
  if (href === null || range.length > MAX_REFERENCE) return false;
  if (!REFERENCE.test(range)) return false;
  const targets = [...range.matchAll(/\]\(([^()\s]*)/g)];
  return targets.every(([, target]) => safeHref(target) === href);
}
