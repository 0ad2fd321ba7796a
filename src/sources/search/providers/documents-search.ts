import {
  type DocumentFolder,
  DocumentsUnavailable,
} from '../../../tools/documents/document-folder';
import type { Hit } from '../../../tools/documents/document-index';
import {
  ProviderFailed,
  type ProviderReply,
  type RawHit,
  type SearchProvider,
  type SearchQuery,
} from '../search.types';

/** The documents of the folder that the operator configured. */
export class DocumentsSearch implements SearchProvider {
  constructor(private readonly folder: DocumentFolder) {}

  async search(
    { text, limit }: SearchQuery,
    signal: AbortSignal,
  ): Promise<ProviderReply> {
    try {
      const found = await this.folder.search(text, signal);
      const hits = new Map<string, RawHit>();
      for (const hit of found) {
        if (hits.size >= limit) break;
        const raw = rawHit(hit);
        if (!hits.has(raw.document!)) hits.set(raw.document!, raw);
      }
      return { hits: [...hits.values()] };
    } catch (cause) {
      if (cause instanceof DocumentsUnavailable)
        throw new ProviderFailed('unreachable', undefined, { cause });
      throw cause;
    }
  }
}

/** A document is found by its best passage, and read as a whole. */
function rawHit({ document, part }: Hit): RawHit {
  const { title, passages } = document;
  return {
    document: documentUrl(document.name ?? title),
    title,
    snippet: passages[part],
    content: passages.join('\n\n'),
  };
}

function documentUrl(name: string): string {
  const path = encodeURI(name.toWellFormed());
  return `document:${path.replace(/[?#]/g, encodeURIComponent)}`;
}
