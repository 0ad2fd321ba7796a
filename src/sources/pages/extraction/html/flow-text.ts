import type { Heading } from '../../page.types';
import {
  headingText,
  MAX_HEADING_CHARS,
  MAX_HEADINGS,
  MAX_IDS,
} from '../headings';

/** A longer row is laid out by its cells, not a row of a table. */
const MAX_ROW_CHARS = 2_000;

/** Text as a browser lays it out: runs of white space are one space, none at the start of a line. */
export class FlowText {
  readonly headings: Heading[] = [];
  private readonly parts: string[] = [];
  private last = '\n';
  private length = 0;
  private heading?: Heading;
  /** Where the open row begins in the text, and it and its cells in `parts`. */
  private row?: { at: number; part: number; cells: number[] };

  get text(): string {
    return this.parts.join('');
  }

  add(text: string, isPreformatted: boolean): void {
    const flat = isPreformatted ? text : text.replace(/\s+/g, ' ');
    const isDouble =
      !isPreformatted && flat.startsWith(' ') && /\s/.test(this.last);
    const added = isDouble ? flat.slice(1) : flat;
    this.addToHeading(added);
    this.push(added);
  }

  /** Between lines, or between the cells of one. */
  separate(mark: '\n' | '\t'): void {
    if (mark === '\n' && this.heading?.text.trim()) this.endHeading();
    if (mark === '\t') this.row?.cells.push(this.parts.length);
    if (mark === '\n' || this.last !== '\n') this.push(mark);
  }

  /** What follows is a heading, until it or its first line ends. */
  beginHeading(level: number, ids: readonly string[]): void {
    this.endHeading();
    this.heading = { at: -1, level, text: '', ids: [...ids] };
  }

  /** An anchor within the open heading. */
  nameHeading(ids: readonly string[]): void {
    const named = this.heading?.ids;
    if (named) named.push(...ids.slice(0, MAX_IDS - named.length));
  }

  endHeading(): void {
    const { heading } = this;
    this.heading = undefined;
    if (!heading || this.headings.length === MAX_HEADINGS) return;
    const text = headingText(heading.text);
    if (text === '') return;
    const { ids, ...kept } = heading;
    this.headings.push({ ...kept, text, ...(ids?.length && { ids }) });
  }

  /** A table within a row means that the row only lays out a page. */
  beginTable(): void {
    this.row = undefined;
  }

  beginRow(): void {
    this.row = { at: this.length, part: this.parts.length, cells: [] };
  }

  /** Its cells are one line, whatever they hold. */
  endRow(): void {
    this.endHeading();
    const { row } = this;
    this.row = undefined;
    if (!row || row.at === this.length) return;
    const isHeaded = (this.headings.at(-1)?.at ?? -1) >= row.at;
    if (this.length - row.at <= MAX_ROW_CHARS && !isHeaded) this.flatten(row);
  }

  private flatten({ at, part, cells }: NonNullable<FlowText['row']>): void {
    const { parts } = this;
    const bounds = [part, ...cells.slice(1), parts.length];
    const text = bounds
      .slice(1)
      .map((end, index) => parts.slice(bounds[index], end).join('').trim())
      .map((cell) => cell.replace(/\s*\n\s*/g, ' '))
      .join('\t')
      .trimEnd();
    parts.splice(part, parts.length, text);
    this.length = at + text.length;
    this.last = text.at(-1) ?? '\n';
  }

  private addToHeading(text: string): void {
    const { heading } = this;
    if (!heading || heading.text.length > MAX_HEADING_CHARS) return;
    if (heading.at < 0) {
      if (text.trim() === '') return;
      heading.at = this.length;
    }
    heading.text += text.slice(0, MAX_HEADING_CHARS + 1);
  }

  private push(text: string): void {
    if (text === '') return;
    this.parts.push(text);
    this.length += text.length;
    this.last = text.at(-1)!;
  }
}
