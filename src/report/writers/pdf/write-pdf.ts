import type { ReportCitation, ReportDocument } from '../../report.types';
import { labelsOf, notesOf, remarksOn, titleOf } from '../labels';
import { PdfBlocks } from './pdf-blocks';
import { shown } from './pdf-fonts';
import { destinationOf, PdfPage, SOFT } from './pdf-page';

const MARGINS = { top: 64, bottom: 64, left: 62, right: 62 };
const GAP = 5;

/** A4 pages with an outline; links lead from the text to its citations, and from there to their pages. */
export async function writePdf(document: ReportDocument): Promise<Uint8Array> {
  const page = new PdfPage({
    size: 'A4',
    margins: MARGINS,
    bufferPages: true,
    lang: document.language,
    displayTitle: true,
    pdfVersion: '1.7',
    info: {
      Title: titleOf(document),
      Creator: 'Sonde',
      CreationDate: new Date(document.completed_at ?? 0),
    },
  });
  const bytes = collected(page.document);
  const blocks = new PdfBlocks(page);
  blocks.heading(titleOf(document), 1);
  for (const note of notesOf(document))
    page.line(note, page.whole, { size: 9, color: SOFT });
  page.down(GAP);
  blocks.blocks(document.blocks);
  writeConsulted(page, blocks, document);
  if (document.citations.length > 0)
    blocks.heading(labelsOf(document).citations, 2);
  for (const one of document.citations) writeCitation(page, one, document);
  writePageNumbers(page);
  page.document.end();
  return bytes;
}

function writeConsulted(
  page: PdfPage,
  blocks: PdfBlocks,
  document: ReportDocument,
): void {
  if (document.consulted.length === 0) return;
  blocks.heading(labelsOf(document).consulted, 2);
  for (const { title, href } of document.consulted) {
    const link = href === null ? {} : { href };
    page.inline([{ type: 'text', text: title, ...link }], page.whole);
    page.down(GAP);
  }
}

function writeCitation(
  page: PdfPage,
  one: ReportCitation,
  document: ReportDocument,
): void {
  const { number, url, href, title, quote } = one;
  const { x, width } = page.whole;
  const inner = { x: x + 14, width: width - 14 };
  page.need(40);
  page.document.addNamedDestination(
    destinationOf(number),
    'XYZ',
    x,
    page.y,
    null,
  );
  const link = href === null ? {} : { href };
  page.inline(
    [
      { type: 'text', text: `[${number}] `, bold: true },
      { type: 'text', text: title, ...link },
    ],
    page.whole,
  );
  if (quote) page.line(`“${quote.replace(/\s+/g, ' ')}”`, inner);
  const address = title === url ? '' : url;
  const remarks = [address, remarksOn(one, document)].filter(Boolean);
  if (remarks.length > 0)
    page.line(remarks.join(' · '), inner, { size: 9, color: SOFT });
  page.down(GAP);
}

function writePageNumbers({ document }: PdfPage): void {
  const { start, count } = document.bufferedPageRange();
  for (let at = 0; at < count; at += 1) {
    document.switchToPage(start + at);
    const { width, height, margins } = document.page;
    // Within the margin no text begins a page.
    margins.bottom = 0;
    document
      .fontSize(8)
      .fillColor(SOFT)
      .text(shown(`${at + 1} / ${count}`), 0, height - 40, {
        width,
        align: 'center',
        lineBreak: false,
      });
  }
}

function collected(document: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
}
