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

/** A document of at most this many characters is one hit; of a longer one, each passage that fits the query is. */
const MAX_WHOLE = 20_000;

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

function rawHit({ document, part }: Hit): RawHit {
  const { title, passages } = document;
  const url = documentUrl(document.name ?? title);
  const snippet = passages[part];
  const length = passages.reduce((sum, passage) => sum + passage.length, 0);
  if (length <= MAX_WHOLE)
    return { document: url, title, snippet, content: passages.join('\n\n') };
  return {
    document: `${url}?part=${part + 1}`,
    title: `${title} (part ${part + 1} of ${passages.length})`,
    snippet,
    content: snippet,
  };
}

function documentUrl(name: string): string {
  const path = encodeURI(name.toWellFormed());
  return `document:${path.replace(/[?#]/g, encodeURIComponent)}`;
}
