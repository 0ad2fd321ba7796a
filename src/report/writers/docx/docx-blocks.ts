import {
  AlignmentType,
  BorderStyle,
  HeadingLevel,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import type { Block, Inline } from '../../report.types';
import { runsOf } from './docx-runs';

type TableBlock = Extract<Block, { type: 'table' }>;
type ListBlock = Extract<Block, { type: 'list' }>;
type Options = Exclude<ConstructorParameters<typeof Paragraph>[0], string>;

const STEP = 480;
/** As many as the format has. */
export const MAX_LEVEL = 8;
/** Word opens no table with more than 63. */
const MAX_COLUMNS = 60;
const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
];

/** The name of the numbering that begins with a number. */
export const numberingFrom = (start: number): string => `from-${start}`;

/** The blocks of a report as those of a document. */
export class DocxBlocks {
  /** Every list counts for itself. */
  private lists = 0;
  /** The numbers with which lists begin. */
  readonly starts = new Set<number>();

  /** @param depth of lists and quotes. */
  blocks(blocks: readonly Block[], depth = 0): (Paragraph | Table)[] {
    return blocks.flatMap((block) => this.block(block, depth));
  }

  private block(block: Block, depth: number): (Paragraph | Table)[] {
    switch (block.type) {
      case 'heading': {
        const heading = HEADINGS[block.level - 1];
        return [
          paragraph(runsOf(block.content), { heading, ...indented(depth) }),
        ];
      }
      case 'paragraph':
        return [paragraph(runsOf(block.content), indented(depth))];
      case 'list':
        return this.list(block, depth);
      case 'quote':
        return this.blocks(block.blocks, depth + 1);
      case 'code':
        return [codeParagraph(block.text, depth)];
      case 'table':
        return tableBlocks(block);
      case 'rule':
        return [paragraph([], { thematicBreak: true })];
    }
  }

  private list({ start, items }: ListBlock, depth: number) {
    const level = Math.min(depth, MAX_LEVEL);
    this.lists += 1;
    if (start !== null) this.starts.add(start);
    const options: Options =
      start === null
        ? { bullet: { level } }
        : {
            numbering: {
              reference: numberingFrom(start),
              instance: this.lists,
              level,
            },
          };
    return items.flatMap(([first, ...rest]) => {
      const isText = first?.type === 'paragraph';
      const content = isText ? first.content : [];
      const others = isText || !first ? rest : [first, ...rest];
      return [
        paragraph(runsOf(content), options),
        ...this.blocks(others, depth + 1),
      ];
    });
  }
}

function paragraph(
  children: readonly ParagraphChild[],
  options: Options,
): Paragraph {
  return new Paragraph({ ...options, children });
}

function indented(depth: number): Options {
  const left = Math.min(depth, MAX_LEVEL + 1) * STEP;
  return depth === 0 ? {} : { indent: { left } };
}

function codeParagraph(text: string, depth: number): Paragraph {
  const lines = text.split('\n').map(
    (line, at) =>
      new TextRun({
        text: line,
        font: 'Consolas',
        size: 18,
        ...(at > 0 && { break: 1 }),
      }),
  );
  return paragraph(lines, {
    ...indented(depth),
    shading: { fill: 'F3F4F6' },
    alignment: AlignmentType.LEFT,
  });
}

function tableBlocks({ align, rows }: TableBlock): (Paragraph | Table)[] {
  if (align.length > MAX_COLUMNS) return rows.map(rowParagraph);
  const border = { style: BorderStyle.SINGLE, size: 4, color: 'C9CDD3' };
  const borders = { top: border, bottom: border, left: border, right: border };
  const cells = (row: readonly Inline[][], isHead: boolean) =>
    row.map((cell, at) => {
      const alignment = align[at] ?? AlignmentType.LEFT;
      const text = paragraph(runsOf(cell, isHead), { alignment });
      return new TableCell({ children: [text], borders });
    });
  const table = new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    margins: { top: 60, bottom: 60, left: 100, right: 100 },
    rows: rows.map(
      (row, at) =>
        new TableRow({
          children: cells(row, at === 0),
          tableHeader: at === 0,
          cantSplit: true,
        }),
    ),
  });
  // Two tables without anything between them would become one.
  return [table, paragraph([], {})];
}

function rowParagraph(row: readonly Inline[][]): Paragraph {
  const children = row.flatMap((cell, at) => [
    ...(at > 0 ? [new TextRun({ text: ' | ' })] : []),
    ...runsOf(cell),
  ]);
  return paragraph(children, {});
}
