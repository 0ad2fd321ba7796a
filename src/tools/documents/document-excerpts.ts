import type { Document } from '../../platform/message/document';
import type { Hit, IndexedDocument } from './document-index';

/** About 5,000 tokens, which a model reads with care. */
const MAX_LENGTH = 20_000;
const MAX_PARTS = 3;

/**
 * The best passages of up to `limit` documents, best document first.
 * @param hits best first.
 */
export function excerptsOf(hits: readonly Hit[], limit: number): Document[] {
  const chosen = new Map<IndexedDocument, number[]>();
  let remaining = MAX_LENGTH;
  for (const { document, part } of hits) {
    const parts = chosen.get(document);
    if (parts ? parts.length === MAX_PARTS : chosen.size === limit) continue;
    remaining -= document.passages[part].length;
    if (!parts) remaining -= document.title.length;
    if (remaining < 0) break;
    chosen.set(document, [...(parts ?? []), part]);
  }
  return [...chosen].map(([document, parts]) => excerptOf(document, parts));
}

/** In reading order. The title names the parts, so that no model takes an excerpt for the whole document. */
function excerptOf(
  { title, passages }: IndexedDocument,
  chosen: readonly number[],
): Document {
  const parts = chosen.toSorted((a, b) => a - b);
  const text = parts
    .map((part, i) => {
      const gap = i > 0 && part > parts[i - 1] + 1;
      return `${gap ? '[…]\n\n' : ''}${passages[part]}`;
    })
    .join('\n\n');
  if (parts.length === passages.length) return { title, text };
  const names = parts.map((part) => part + 1).join(', ');
  const label = parts.length > 1 ? 'parts' : 'part';
  return { title: `${title} (${label} ${names} of ${passages.length})`, text };
}
