import { plainText } from '../../parse/parse';
import type { Block } from '../../report.types';
import {
  type PdfPage,
  type Place,
  SIZE,
  SOFT,
  type TextStyle,
} from './pdf-page';
import { writeTable } from './pdf-tables';

const STEP = 18;
const MIN_WIDTH = 180;
const GAP = 7;
const HEADING_SIZES = [19, 15.5, 13, 11.5, 10.5, 10.5];

type ListBlock = Extract<Block, { type: 'list' }>;

/** Writes the blocks of a report, with an outline of its headings. */
export class PdfBlocks {
  /** The headings above the next one. */
  private readonly above: { level: number; item: PDFKit.PDFOutline }[] = [];

  constructor(private readonly page: PdfPage) {}

  blocks(
    blocks: readonly Block[],
    place = this.page.whole,
    style: TextStyle = {},
  ): void {
    for (const block of blocks) this.block(block, place, style);
  }

  heading(text: string, level: number): void {
    const { page } = this;
    this.outline(text, level);
    page.down(GAP);
    page.need(60);
    page.line(text, page.whole, { size: HEADING_SIZES[level - 1], bold: true });
    page.down(GAP);
  }

  private block(block: Block, place: Place, style: TextStyle): void {
    const { page } = this;
    switch (block.type) {
      case 'heading': {
        const size = HEADING_SIZES[block.level - 1];
        this.outline(plainText(block.content), block.level);
        page.down(GAP);
        page.need(60);
        page.inline(block.content, place, { ...style, size, bold: true });
        break;
      }
      case 'paragraph':
        page.inline(block.content, place, style);
        break;
      case 'list':
        return this.list(block, place, style);
      case 'quote':
        return this.blocks(block.blocks, inside(place), {
          ...style,
          color: SOFT,
        });
      case 'code':
        page.line(block.text, inside(place), { size: 9, color: SOFT });
        break;
      case 'table':
        writeTable(page, block, page.whole);
        break;
      case 'rule':
        page.down(GAP);
        page.rule(place);
    }
    page.down(GAP);
  }

  private list({ start, items }: ListBlock, place: Place, style: TextStyle) {
    const { page } = this;
    const inner = inside(place);
    items.forEach((item, at) => {
      page.need(3 * SIZE);
      const top = page.y;
      const bullet = start === null ? '•' : `${start + at}.`;
      page.line(bullet, { x: place.x, width: place.width }, style);
      // Where the bullet has begun no page, the text stands beside it.
      if (page.y > top) page.y = top;
      if (item.length === 0) page.down(2 * SIZE);
      this.blocks(item, inner, style);
    });
  }

  private outline(text: string, level: number): void {
    const { above } = this;
    while (above.length > 0 && above.at(-1)!.level >= level) above.pop();
    const parent = above.at(-1)?.item ?? this.page.document.outline;
    above.push({ level, item: parent.addItem(text) });
  }
}

/** No narrower than a text can be read. */
function inside({ x, width }: Place): Place {
  return width - STEP < MIN_WIDTH
    ? { x, width }
    : { x: x + STEP, width: width - STEP };
}
