import { dirname, join, sep } from 'node:path';
import { getDocumentProxy } from 'unpdf';
import type { Heading } from '../page.types';
import { headingText, MAX_HEADINGS } from './headings';
import {
  type ExtractedText,
  ExtractionFault,
  MAX_TEXT_CHARS,
} from './extraction.types';
import { PdfLines } from './pdf-lines';

const MAX_PAGES = 500;
const MAX_OUTLINE_DEPTH = 6;
/** A heading of the outline is looked for in so much of its page. */
const MAX_PAGE_CHARS = 20_000;
/**
 * The character maps of PDF.js: without them a CJK document without embedded fonts is blank. A plain path with a slash
 * at its end. Nothing else of that package is used, and none of its code is loaded.
 */
const CMAPS = join(dirname(require.resolve('pdf.js-extract')), 'cmaps') + sep;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Page by page: the whole document at once takes several times the memory. */
export async function readPdf(bytes: Uint8Array): Promise<ExtractedText> {
  const pdf = await open(bytes);
  try {
    const { info } = await pdf.getMetadata();
    const { Title: title, Language: language } = info as Record<
      string,
      unknown
    >;
    const pages = Math.min(pdf.numPages, MAX_PAGES);
    const starts: number[] = [];
    const lines = new PdfLines();
    let text = '';
    let at = 1;
    for (; at <= pages && text.length < MAX_TEXT_CHARS; at += 1) {
      starts.push(text.length);
      text += `${lines.add(await itemsOf(pdf, at), text.length)}\n\n`;
    }
    const outline = await outlineOf(pdf, text, starts);
    return {
      text,
      headings: outline.length > 0 ? outline : lines.headings(),
      title: typeof title === 'string' ? title : undefined,
      language: typeof language === 'string' ? language : undefined,
      truncated: at <= pdf.numPages,
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, {
      cMapUrl: CMAPS,
      cMapPacked: true,
      verbosity: 0,
    });
  } catch (error) {
    const isLocked = (error as Error).name === 'PasswordException';
    throw new ExtractionFault(isLocked ? 'encrypted' : 'unreadable');
  }
}

type Outline = Awaited<ReturnType<Pdf['getOutline']>>;

/** The entries of the outline, each at its line of the page or, if there is none, at the beginning of the page. */
async function outlineOf(
  pdf: Pdf,
  text: string,
  starts: readonly number[],
): Promise<Heading[]> {
  const headings: Heading[] = [];
  const visit = async (items: Outline, level: number): Promise<void> => {
    for (const { title, dest, items: inner } of items ?? []) {
      if (headings.length === MAX_HEADINGS) return;
      const name = headingText(title);
      const page = await pageIndexOf(pdf, dest);
      if (name && page in starts) {
        const end = starts[page + 1] ?? text.length;
        const at = lineOf(text.slice(0, end), starts[page], name);
        headings.push({ at, level, text: name });
      }
      if (level < MAX_OUTLINE_DEPTH) await visit(inner as Outline, level + 1);
    }
  };
  try {
    await visit(await pdf.getOutline(), 1);
  } catch {
    // A damaged outline is none: the document still has its text.
    return [];
  }
  return headings.sort((a, b) => a.at - b.at);
}

/** From 0; -1 if the destination is no page. */
async function pageIndexOf(pdf: Pdf, dest: unknown): Promise<number> {
  const place =
    typeof dest === 'string' ? await pdf.getDestination(dest) : dest;
  const [page] = Array.isArray(place) ? (place as unknown[]) : [];
  if (typeof page === 'number') return page;
  if (typeof page !== 'object' || page === null) return -1;
  return pdf.getPageIndex(page as Parameters<Pdf['getPageIndex']>[0]);
}

function lineOf(text: string, start: number, title: string): number {
  const page = text.slice(start, start + MAX_PAGE_CHARS);
  const found = `\n${page}`.indexOf(`\n${title}`);
  return found < 0 ? start : start + found;
}

async function itemsOf(pdf: Pdf, number: number) {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items;
}
