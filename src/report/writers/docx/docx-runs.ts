import {
  ExternalHyperlink,
  InternalHyperlink,
  type ParagraphChild,
  TextRun,
} from 'docx';
import type { Inline, TextRun as Run } from '../../report.types';

/** The bookmark of a citation. */
export const anchorOf = (number: number): string => `citation_${number}`;

/** Text alone: nothing of a report becomes a field, an image or an object. */
export function runsOf(
  content: readonly Inline[],
  bold = false,
): ParagraphChild[] {
  return content.map((one) => {
    if (one.type === 'break') return new TextRun({ break: 1 });
    return one.type === 'citation'
      ? citationRun(one.number)
      : textRun(one, bold);
  });
}

/** @param href one that `safeHref` has made. */
export function linked(text: string, href: string | null): ParagraphChild {
  if (href === null) return new TextRun({ text });
  const children = [new TextRun({ text, style: 'Hyperlink' })];
  return new ExternalHyperlink({ children, link: href });
}

function citationRun(number: number): ParagraphChild {
  return new InternalHyperlink({
    anchor: anchorOf(number),
    children: [new TextRun({ text: `[${number}]`, style: 'Hyperlink' })],
  });
}

function textRun(run: Run, isBold: boolean): ParagraphChild {
  const { text, href, bold, italic, strike, code } = run;
  const written = new TextRun({
    text,
    bold: bold ?? isBold,
    italics: italic,
    strike,
    ...(code && { font: 'Consolas' }),
    ...(href && { style: 'Hyperlink' }),
  });
  return href
    ? new ExternalHyperlink({ children: [written], link: href })
    : written;
}
