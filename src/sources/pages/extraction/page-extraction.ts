import { createHash } from 'node:crypto';
import robotsParser from 'robots-parser';
import { decodeText } from './charset';
import { readDocx } from './docx';
import {
  type ExtractedText,
  type Extraction,
  ExtractionFault,
  type ExtractionTask,
  MAX_TEXT_CHARS,
  ROBOTS_TOKEN,
  type RobotsTask,
} from './extraction.types';
import { markdownHeadings } from './headings';
import { readHtml } from './html/html';
import { scanHtml } from './html/html-scan';
import { containerOf, DOCX, essence } from './media-type';
import { isEmptyText, pageLanguage, tidyTitle } from './page-text';
import { tidyStructured } from './structured-text';
import { readPdf } from './pdf';

const HTML_START =
  /^\s{0,500}(<\?xml[^>]{0,200}>\s{0,100})?(<!--[^]{0,1000}?-->\s{0,100})?<(!doctype html|html|head|body)\b/i;
const BINARY = /(?!\s)\p{Cc}/gu;
const SNIFFED_CHARS = 4_096;
const MAX_BINARY_SHARE = 0.01;
const TITLE_FROM_TEXT_CHARS = 120;

type Read = (ExtractedText & { mime: string }) | { refresh: string };

/** Everything that a page does to its reader happens here, in a thread that can be ended. Never rejects. */
export async function extractPage(task: ExtractionTask): Promise<Extraction> {
  try {
    const sha256 = createHash('sha256').update(task.bytes).digest('hex');
    const found = await readBytes(task);
    if ('refresh' in found) return found;
    const { mime, ...read } = found;
    const { text, headings } = tidyStructured(read, MAX_TEXT_CHARS);
    if (isEmptyText(text)) return { fault: 'empty' };
    const declared = [read.language, task.contentLanguage];
    const language = pageLanguage(declared, text);
    const isCut = read.truncated === true || text.length > MAX_TEXT_CHARS;
    return {
      title: tidyTitle(read.title ?? '') || firstLine(text),
      text: text.slice(0, MAX_TEXT_CHARS).toWellFormed(),
      sha256,
      mime,
      ...(language && { language }),
      ...(isCut && { truncated: true }),
      ...(headings.length > 0 && { headings }),
      ...(read.alternates?.length && { alternates: [...read.alternates] }),
    };
  } catch (error) {
    return {
      fault: error instanceof ExtractionFault ? error.fault : 'unreadable',
    };
  }
}

/** Rules with many wildcards take long against a long URL. */
export function isAllowed({ text, url }: RobotsTask): boolean {
  const robots = robotsParser(new URL('/robots.txt', url).href, text);
  return robots.isAllowed(url, ROBOTS_TOKEN) !== false;
}

async function readBytes(task: ExtractionTask): Promise<Read> {
  const { bytes, contentType } = task;
  const declared = essence(contentType);
  switch (containerOf(bytes)) {
    case 'pdf':
      return { ...(await readPdf(bytes)), mime: 'application/pdf' };
    case 'zip':
      return { ...(await readDocx(bytes)), mime: DOCX };
    case 'compound':
      // An office document with a password is a compound file, as old formats are.
      throw new ExtractionFault(
        declared === DOCX ? 'encrypted' : 'unsupported_type',
      );
    case 'text':
      return readText(decodeText(bytes, contentType), declared, task.url);
  }
}

function readText(text: string, declared: string, url: string): Read {
  const head = text.slice(0, SNIFFED_CHARS);
  const binary = head.match(BINARY)?.length ?? 0;
  if (binary > head.length * MAX_BINARY_SHARE)
    throw new ExtractionFault('unsupported_type');
  if (/html$|xhtml\+xml$/.test(declared) || HTML_START.test(head))
    return { ...readHtml(text, url), mime: 'text/html' };
  if (text.trim() === '') throw new ExtractionFault('empty');
  if (/[/+]xml$/.test(declared)) {
    const { visible, title, language } = scanHtml(text);
    return { text: visible.text, title, language, mime: declared };
  }
  // A PDF or DOCX by its type, but not by its contents.
  if (/pdf$|msword$|zip$/.test(declared) || declared === DOCX)
    throw new ExtractionFault('unreadable');
  const isText = /^text\/|json$|markdown$/.test(declared);
  const isMarkdown = declared.endsWith('markdown');
  return {
    text,
    headings: isMarkdown ? markdownHeadings(text) : [],
    title: /^#\s+(.+)$/m.exec(head)?.[1],
    mime: isText ? declared : 'text/plain',
  };
}

function firstLine(text: string): string {
  return tidyTitle(
    text.slice(0, TITLE_FROM_TEXT_CHARS).trim().split('\n', 1)[0],
  );
}
