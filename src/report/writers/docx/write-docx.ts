import {
  AlignmentType,
  Bookmark,
  Document,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  TextRun,
} from 'docx';
import type { ReportCitation, ReportDocument } from '../../report.types';
import { labelsOf, notesOf, remarksOn, titleOf } from '../labels';
import { DocxBlocks, MAX_LEVEL, numberingFrom } from './docx-blocks';
import { anchorOf, linked } from './docx-runs';

/** The fonts are those of the reader's machine. */
const FONTS = {
  ascii: 'Calibri',
  hAnsi: 'Calibri',
  eastAsia: 'Malgun Gothic',
  cs: 'Calibri',
};
const SOFT = '5B616B';
const EAST_ASIA: Record<string, string> = {
  ko: 'ko-KR',
  ja: 'ja-JP',
  zh: 'zh-CN',
};

/** A document of Word. Citations are a numbered list at its end, so that they have the numbers of every other format. */
export async function writeDocx(document: ReportDocument): Promise<Uint8Array> {
  const blocks = new DocxBlocks();
  const body = blocks.blocks(document.blocks);
  const eastAsia = EAST_ASIA[document.language] ?? 'ko-KR';
  const file = new Document({
    title: titleOf(document),
    creator: 'Sonde',
    description: document.invocation_id,
    styles: {
      default: {
        document: {
          run: {
            font: FONTS,
            size: 21,
            language: { value: 'en-US', eastAsia },
          },
          paragraph: { spacing: { after: 140, line: 300 } },
        },
      },
    },
    numbering: { config: [...blocks.starts].map(numbering) },
    sections: [
      {
        children: [
          heading(titleOf(document), HeadingLevel.TITLE),
          ...notesOf(document).map((note) => soft(note)),
          ...body,
          ...consulted(document),
          ...citations(document),
        ],
      },
    ],
  });
  return Packer.toBuffer(file);
}

function numbering(start: number) {
  const levels = Array.from({ length: MAX_LEVEL + 1 }, (_, level) => ({
    level,
    format: LevelFormat.DECIMAL,
    text: `%${level + 1}.`,
    start,
    alignment: AlignmentType.START,
    style: { paragraph: { indent: { left: 480 * (level + 1), hanging: 360 } } },
  }));
  return { reference: numberingFrom(start), levels };
}

function consulted(document: ReportDocument): Paragraph[] {
  if (document.consulted.length === 0) return [];
  return [
    heading(labelsOf(document).consulted, HeadingLevel.HEADING_2),
    ...document.consulted.map(
      ({ title, href }) =>
        new Paragraph({
          bullet: { level: 0 },
          children: [linked(title, href)],
        }),
    ),
  ];
}

function citations(document: ReportDocument): Paragraph[] {
  if (document.citations.length === 0) return [];
  return [
    heading(labelsOf(document).citations, HeadingLevel.HEADING_2),
    ...document.citations.flatMap((one) => citation(one, document)),
  ];
}

function citation(one: ReportCitation, document: ReportDocument): Paragraph[] {
  const { number, url, href, title, quote } = one;
  const label = new TextRun({ text: `[${number}]`, bold: true });
  const address = title === url ? '' : url;
  const remarks = remarksOn(one, document);
  return [
    new Paragraph({
      keepNext: Boolean(quote),
      children: [
        new Bookmark({ id: anchorOf(number), children: [label] }),
        new TextRun({ text: ' ' }),
        linked(title, href),
      ],
    }),
    ...(quote ? [quoted(quote)] : []),
    ...(address || remarks
      ? [soft([address, remarks].filter(Boolean).join(' · '), 480)]
      : []),
  ];
}

function quoted(text: string): Paragraph {
  const words = new TextRun({ text: `“${text.replace(/\s+/g, ' ')}”` });
  return new Paragraph({ indent: { left: 480 }, children: [words] });
}

function soft(text: string, left = 0): Paragraph {
  const run = new TextRun({ text, color: SOFT, size: 18 });
  return new Paragraph({ indent: { left }, children: [run] });
}

function heading(
  text: string,
  level: (typeof HeadingLevel)[keyof typeof HeadingLevel],
): Paragraph {
  return new Paragraph({ heading: level, children: [new TextRun({ text })] });
}
