import { dirname, join, sep } from 'node:path';
import { getDocumentProxy } from 'unpdf';
import {
  type ExtractedText,
  ExtractionFault,
  MAX_TEXT_CHARS,
} from './extraction.types';

const MAX_PAGES = 500;
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
    let text = '';
    let at = 1;
    for (; at <= pages && text.length < MAX_TEXT_CHARS; at += 1)
      text += `${await pageText(pdf, at)}\n\n`;
    return {
      text,
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

async function pageText(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items
    .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    .join('');
}
