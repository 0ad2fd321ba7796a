import { Injectable } from '@nestjs/common';
import {
  type DocumentExtractor,
  FileFault,
  type FileText,
} from '../../tools/documents/document-extractor';
import { ExtractionPool } from './extraction/extraction-pool';
import type { StructuredText } from './extraction/extraction.types';
import { DOCX } from './extraction/media-type';
import type { PageFault } from './page.types';

const TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.docx': DOCX,
};
/** What the owner of a file can do something about, as a predicate. */
export const FILE_FAULTS = {
  encrypted: 'has a password',
  empty: 'has no text (a scan needs text recognition)',
  too_large: 'takes too much memory to be read',
  unreadable: 'is damaged, or takes too long to be read',
  unsupported_type: 'is not what its name says',
} as const satisfies Partial<Record<PageFault, string>>;
type FileFaultName = keyof typeof FILE_FAULTS;

export function isFileFault(fault: PageFault): fault is FileFaultName {
  return Object.hasOwn(FILE_FAULTS, fault);
}

/** Files, read as pages are: in threads that can be ended. */
@Injectable()
export class DocumentTexts implements DocumentExtractor {
  constructor(private readonly pool: ExtractionPool) {}

  async extract(
    bytes: Uint8Array<ArrayBuffer>,
    extension: string,
  ): Promise<FileText> {
    const type = TYPES[extension] ?? 'text/html';
    const found = await this.read(bytes, type, new AbortController().signal);
    if ('refresh' in found) throw new FileFault('only leads to another page');
    if ('fault' in found)
      throw new FileFault(
        isFileFault(found.fault)
          ? FILE_FAULTS[found.fault]
          : 'has no text of its own',
      );
    return found;
  }

  /**
   * Bounded as the limits have it. Headings are lines as in Markdown.
   * @param bytes are given away.
   * @param contentType says of a file that has a password or is a text what it is; empty if that is not known.
   * @throws the reason of the signal alone.
   */
  async read(
    bytes: Uint8Array<ArrayBuffer>,
    contentType: string,
    signal: AbortSignal,
  ): Promise<FileText | { fault: PageFault } | { refresh: string }> {
    const found = await this.pool.extract(
      { url: 'file:///', bytes, contentType, contentLanguage: '' },
      signal,
    );
    if ('refresh' in found || 'fault' in found) return found;
    const { title, truncated: isCut } = found;
    return { title, text: withHeadings(found), ...(isCut && { isCut }) };
  }
}

/** Headings as in Markdown, as far as they are lines of the text. */
function withHeadings({ text, headings = [] }: StructuredText): string {
  const parts: string[] = [];
  let from = 0;
  for (const { at, level, text: heading } of headings) {
    const [line] = text.slice(at, at + heading.length).split('\n', 1);
    if (!line || !heading.startsWith(line)) continue;
    parts.push(text.slice(from, at), `${'#'.repeat(level)} `);
    from = at;
  }
  return parts.join('') + text.slice(from);
}
