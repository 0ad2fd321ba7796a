import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppError } from '../../platform/errors';
import { AppendOnlyFileRewrite } from '../../platform/redis/append-only-file-rewrite';
import { storedList } from '../../runs/record/stored-fields';
import { CallerRunsIndex } from '../../runs/store/caller-runs-index';
import { EndListeners } from '../../runs/ending/end-listeners';
import { keysOf, purgedEntries } from './purged-entries';
import { purgedCitations } from './purged-report';
import { type Kept, PurgeStore } from './purge.store';

/** Runs of one request: with its cursor, a caller with more of them repeats it. */
const SLICE = 100;
/** Two purges of one run at once see each other's change. */
const ATTEMPTS = 10;

/** What one slice of a caller's runs came to. */
export interface PurgedSlice {
  purged: number;
  pending: number;
  nextCursor: string | null;
}

/**
 * Removes what runs of the agent have kept of a page. A run that has not ended still needs it, for a takeover compares its
 * steps with those on record: it is purged when its end is settled, which is repeated after a crash until it has succeeded.
 */
@Injectable()
export class PagePurge implements OnModuleInit {
  constructor(
    private readonly store: PurgeStore,
    private readonly callers: CallerRunsIndex,
    private readonly listeners: EndListeners,
    private readonly rewrite: AppendOnlyFileRewrite,
  ) {}

  onModuleInit(): void {
    this.listeners.register({ settle: (id) => this.settle(id) });
  }

  /** The caller's runs from before `cursor`, the newest first. @throws AppError `rate_limited`, `queue_unavailable`. */
  async purge(
    caller: string | undefined,
    url: string,
    cursor?: string,
  ): Promise<PurgedSlice> {
    const ids = await this.callers.page(caller, cursor, SLICE + 1);
    const slice = ids.slice(0, SLICE);
    let [purged, pending] = [0, 0];
    // One after the other: a journal may be large.
    for (const id of slice) {
      const noted = await this.store.note(id, url);
      if (noted === 'full')
        throw new AppError(
          'rate_limited',
          'Too many pages are to be purged of a run that has not ended.',
        );
      if (noted === 'noted') pending += 1;
      if (noted === 'ended' && (await this.purgeRun(id, [url]))) purged += 1;
    }
    // Also where only the cache had it.
    await this.rewrite.request();
    const nextCursor = ids.length > SLICE ? slice.at(-1)! : null;
    return { purged, pending, nextCursor };
  }

  private async settle(id: string): Promise<void> {
    const addresses = await this.store.noted(id);
    if (addresses.length === 0) return;
    if (await this.purgeRun(id, addresses)) await this.rewrite.request();
  }

  /** Whether it had anything of these pages. */
  private async purgeRun(
    id: string,
    addresses: readonly string[],
  ): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const kept = await this.store.read(id);
      const purged = withoutPages(kept, addresses);
      if (!purged) return false;
      const outcome = await this.store.replace(id, addresses, kept, purged);
      if (outcome !== 'changed') return outcome === 'ok';
    }
    throw new AppError('queue_unavailable');
  }
}

/** Undefined: it holds nothing of them. */
function withoutPages(
  kept: Kept,
  addresses: readonly string[],
): Kept | undefined {
  const keys = keysOf(kept.entries, addresses);
  const entries = purgedEntries(kept.entries, keys);
  const cited = storedList<{ url: string; quote?: string }>(kept.citations);
  const citations = purgedCitations(cited ?? [], keys);
  const isSame = [...entries].every(
    ([field, json]) => kept.entries.get(field) === json,
  );
  if (isSame && !citations) return undefined;
  return {
    entries,
    citations: citations ? JSON.stringify(citations) : kept.citations,
  };
}
