import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeHTML } from 'entities';

/** Read from the root of the project, where npm starts scripts. */
export const CORPUS = join('eval', 'research', 'corpus');

/** A page as its package ships it. */
export interface CorpusPage {
  /** Folder and file, e.g. `debian-faq/choosing.en.html`. */
  path: string;
  html: string;
  language: 'en' | 'ko';
}

/** A part of a page under one heading, as a search engine finds it. */
export interface CorpusSection {
  id: string;
  page: CorpusPage;
  /** Of the element at its heading; empty if there is none. */
  anchor: string;
  title: string;
  text: string;
}

export function readCorpus(folder = CORPUS): CorpusPage[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(folder, name))
        .filter((file) => file.endsWith('.html.gz'))
        .map((file) => ({
          path: `${name}/${file.slice(0, -'.gz'.length)}`,
          html: gunzipSync(readFileSync(join(folder, name, file))).toString(),
          language: file.includes('.ko.') ? ('ko' as const) : ('en' as const),
        })),
    )
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What stands between two headings. The part before the first one is navigation. */
export function sectionsOf(page: CorpusPage): CorpusSection[] {
  const { html, path } = page;
  const starts = [...html.matchAll(/<h[1-6][ >]/g)].map(({ index }) => index);
  return starts.map((start, at) => {
    const part = html.slice(start, starts[at + 1] ?? html.length);
    const end = part.search(/<\/h[1-6]>/);
    const before = html.slice(starts[at - 1] ?? 0, start + end);
    const anchor = [...before.matchAll(/\bid="([^"]+)"/g)].at(-1)?.[1] ?? '';
    const title = plainText(part.slice(0, end));
    const text = plainText(part.slice(end));
    return { id: `${path}#${at}`, page, anchor, title, text };
  });
}

/** Markup within words. */
const INLINE =
  /<\/?(?:a|b|i|em|strong|code|span|tt|cite|kbd|q|var|acronym)\b[^>]*>/g;

function plainText(html: string): string {
  const text = html
    .replace(/<(script|style)\b[^]*?<\/\1>/g, ' ')
    .replace(INLINE, '')
    .replace(/<[^>]*>/g, ' ');
  return decodeHTML(text).replace(/\s+/g, ' ').replace(/¶/g, '').trim();
}
