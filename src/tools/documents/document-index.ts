import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import type { Document } from '../../platform/message/document';
import { passagesOf } from './document-passages';
import { isBeginning, mayBeMisspelt, termsOf } from './search-terms';

/** Other runs share the process: building an index yields to the event loop this often. */
const SLICE_MS = 10;
/** Hits below this share of the best score only share a common word with the query. */
const MIN_SCORE = 0.1;
/** About 15 Korean words. More would block the process for seconds with many documents. */
const MAX_TERMS = 50;
/** Fuzzy search is slow, and in a long query the other words find the document. */
const MAX_FUZZY_TERMS = 30;

export interface IndexedDocument {
  /** Of a file: its path relative to the folder. */
  readonly name?: string;
  readonly title: string;
  readonly passages: readonly string[];
}

export interface Hit {
  readonly document: IndexedDocument;
  /** Index of the passage, from 0. */
  readonly part: number;
  /** Relative to the best hit, which has 1. */
  readonly score: number;
}

/** Full-text search in the passages of documents, ranked by BM25. */
export class DocumentIndex {
  private readonly entries = new Map<number, Omit<Hit, 'score'>>();
  private readonly ids = new Map<IndexedDocument, number[]>();
  private lastId = 0;
  private pausedAt = performance.now();
  private readonly engine = new MiniSearch({
    fields: ['title', 'text'],
    tokenize: termsOf,
    processTerm: (term) => term,
    searchOptions: {
      tokenize: (query) => [...new Set(termsOf(query))].slice(0, MAX_TERMS),
      boost: { title: 2 },
      prefix: isBeginning,
      fuzzy: (term, _index, terms) =>
        terms.length <= MAX_FUZZY_TERMS && mayBeMisspelt(term) && 0.2,
      maxFuzzy: 2,
    },
  });

  get size(): number {
    return this.ids.size;
  }

  async add(
    { title, text }: Document,
    { name, signal }: { name?: string; signal?: AbortSignal } = {},
  ): Promise<IndexedDocument> {
    const passages: string[] = [];
    for (const passage of passagesOf(text)) {
      passages.push(passage);
      await this.pause();
      signal?.throwIfAborted();
    }
    const document = {
      title,
      passages,
      ...(name !== undefined && { name }),
    };
    const ids: number[] = [];
    this.ids.set(document, ids);
    for (const [part, passage] of document.passages.entries()) {
      const id = ++this.lastId;
      ids.push(id);
      this.entries.set(id, { document, part });
      this.engine.add({ id, title, text: passage });
      await this.pause();
      signal?.throwIfAborted();
    }
    return document;
  }

  remove(document: IndexedDocument): void {
    for (const id of this.ids.get(document) ?? []) {
      this.engine.discard(id);
      this.entries.delete(id);
    }
    this.ids.delete(document);
  }

  /** Best first. Empty if no significant word of the query is in the documents. */
  search(query: string): Hit[] {
    const found = this.engine.search(query);
    const best = found[0]?.score;
    return found.flatMap(({ id, score }) => {
      const entry = this.entries.get(id as number);
      const relative = score / best;
      return entry && relative >= MIN_SCORE
        ? [{ ...entry, score: relative }]
        : [];
    });
  }

  private async pause(): Promise<void> {
    if (performance.now() - this.pausedAt < SLICE_MS) return;
    await setImmediate();
    this.pausedAt = performance.now();
  }
}
