import PDFDocument from 'pdfkit';
import type { Inline } from '../../report.types';
import { BOLD, REGULAR, shown } from './pdf-fonts';

export const SIZE = 10.5;
const LINE_GAP = 4;
const LINK = '#0b57b0';
const TEXT = '#1b1d21';
export const SOFT = '#5b616b';

/** Null ends the link of the run before; the types do not know it. */
const NOWHERE = null as unknown as string;

export interface Place {
  x: number;
  width: number;
}

export interface TextStyle {
  size?: number;
  bold?: boolean;
  color?: string;
  align?: 'left' | 'center' | 'right';
}

/** The place in the document to which a citation leads. */
export const destinationOf = (number: number): string => `citation-${number}`;

/** Writes runs of text down the pages of a document. */
export class PdfPage {
  readonly document: PDFKit.PDFDocument;

  constructor(options: PDFKit.PDFDocumentOptions) {
    this.document = new PDFDocument({ ...options, font: REGULAR });
  }

  get whole(): Place {
    const { width, margins } = this.document.page;
    return { x: margins.left, width: width - margins.left - margins.right };
  }

  get bottom(): number {
    return this.document.page.maxY();
  }

  get y(): number {
    return this.document.y;
  }

  set y(value: number) {
    this.document.y = value;
  }

  down(points: number): void {
    this.document.y += points;
  }

  /** Begins a page where less is left of this one. */
  need(points: number): void {
    if (this.y + points > this.bottom) this.document.addPage();
  }

  line(text: string, place: Place, style: TextStyle = {}): void {
    this.inline([{ type: 'text', text }], place, style);
  }

  inline(
    content: readonly Inline[],
    { x, width }: Place,
    style: TextStyle = {},
  ): void {
    const { document } = this;
    const runs = content.map((one) => this.runOf(one, style));
    if (runs.length === 0) return;
    const { size = SIZE, align = 'left' } = style;
    const isOne = runs.length === 1;
    const shift =
      isOne || align === 'left' ? 0 : this.shift(runs, width, style);
    runs.forEach(({ text, bold, color, ...options }, at) => {
      document
        .font(bold ? BOLD : REGULAR)
        .fontSize(size)
        .fillColor(color);
      const all = {
        ...options,
        width: width - shift,
        align: isOne ? align : 'left',
        lineGap: LINE_GAP,
        continued: at < runs.length - 1,
      };
      if (at === 0) document.text(text, x + shift, document.y, all);
      else document.text(text, all);
    });
  }

  /** Where several runs begin on one line that is not aligned to the left: runs are only written from the left. */
  private shift(
    runs: readonly { text: string; bold: boolean }[],
    width: number,
    { size = SIZE, align }: TextStyle,
  ): number {
    const { document } = this;
    const used = runs.reduce(
      (sum, { text, bold }) =>
        sum +
        document
          .font(bold ? BOLD : REGULAR)
          .fontSize(size)
          .widthOfString(text),
      0,
    );
    const free = Math.max(0, width - used - 1);
    return align === 'right' ? free : free / 2;
  }

  /** As high as a text is at most, for bold letters are wider. */
  heightOf(text: string, width: number): number {
    return this.document
      .font(BOLD)
      .fontSize(SIZE)
      .heightOfString(shown(text), { width, lineGap: LINE_GAP });
  }

  rule({ x, width }: Place): void {
    this.document
      .moveTo(x, this.y)
      .lineTo(x + width, this.y)
      .lineWidth(0.5)
      .strokeColor('#c9cdd3')
      .stroke();
  }

  /** Every option is named: a run continues with those of the run before it. */
  private runOf(one: Inline, { bold = false, color = TEXT }: TextStyle) {
    const plain = {
      link: null,
      goTo: NOWHERE,
      underline: false,
      strike: false,
      oblique: false,
    };
    if (one.type === 'break') return { ...plain, text: '\n', bold, color };
    if (one.type === 'citation')
      return {
        ...plain,
        text: `[${one.number}]`,
        bold: false,
        color: LINK,
        goTo: destinationOf(one.number),
      };
    const { href, strike = false, italic = false } = one;
    return {
      ...plain,
      text: shown(one.text),
      bold: bold || one.bold === true,
      color: href ? LINK : one.code ? SOFT : color,
      link: href ?? null,
      underline: href !== undefined,
      strike,
      oblique: italic,
    };
  }
}
