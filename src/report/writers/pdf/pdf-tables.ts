import { plainText } from '../../parse/parse';
import type { Block, Inline } from '../../report.types';
import type { PdfPage, Place } from './pdf-page';

type TableBlock = Extract<Block, { type: 'table' }>;
type Row = readonly Inline[][];

/** More do not fit beside each other. */
const MAX_COLUMNS = 10;
const PAD = 5;
/** What a row of several styles may be higher than estimated. */
const SLACK = 36;
const [LEAST, MOST] = [4, 40];

/** A table whose head is repeated on every page. Rows that no page can hold are written as lines. */
export function writeTable(
  page: PdfPage,
  { align, rows: [head, ...rows] }: TableBlock,
  place: Place,
): void {
  if (align.length > MAX_COLUMNS) {
    for (const row of rows) writeAsLines(page, head, row, place);
    return;
  }
  const columns = columnsOf([head, ...rows], place);
  const write = (row: Row, bold: boolean): void => {
    const top = page.y + PAD;
    let end = top;
    row.forEach((cell, at) => {
      page.y = top;
      page.inline(cell, columns[at], { bold, align: align[at] ?? 'left' });
      end = Math.max(end, page.y);
    });
    page.y = end + 1;
    page.rule(place);
  };
  const heightOf = (row: Row): number =>
    SLACK +
    Math.max(
      ...row.map((cell, at) =>
        page.heightOf(plainText(cell), columns[at].width),
      ),
    );
  const headHeight = heightOf(head);
  const { height, margins } = page.document.page;
  const room = height - margins.top - margins.bottom - headHeight;
  page.need(Math.min(headHeight + 60, room));
  write(head, true);
  for (const row of rows) {
    const needed = heightOf(row);
    if (needed > room) {
      page.down(PAD);
      writeAsLines(page, head, row, place);
      continue;
    }
    if (page.y + needed > page.bottom) {
      page.document.addPage();
      write(head, true);
    }
    write(row, false);
  }
}

function writeAsLines(page: PdfPage, head: Row, row: Row, place: Place): void {
  row.forEach((cell, at) => {
    const name = plainText(head[at] ?? []);
    const label = { type: 'text' as const, text: name && `${name}: ` };
    page.inline([label, ...cell], place);
  });
  page.down(PAD);
}

/** Wider where there is more to read. */
function columnsOf(rows: readonly Row[], { x, width }: Place): Place[] {
  const weights = rows[0].map((_, at) => {
    const lengths = rows.map((row) => plainText(row[at] ?? []).length);
    const longest = lengths.reduce((most, one) => Math.max(most, one), 0);
    return Math.min(Math.max(longest, LEAST), MOST);
  });
  const sum = weights.reduce((total, one) => total + one, 0);
  let left = x;
  return weights.map((weight) => {
    const share = (width * weight) / sum;
    const column = { x: left + PAD, width: share - 2 * PAD };
    left += share;
    return column;
  });
}
