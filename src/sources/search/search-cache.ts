import { createHash } from 'node:crypto';
import type { OptionalRedis } from '../../platform/redis/optional-redis';
import type { SearchOutcome, SearchQuery } from './search.types';

const TTL_MS = 60 * 60_000;
/** With the size of an entry, the most that the cache takes in Redis: 32 MiB. */
const SLOTS = 512;
const MAX_ENTRY_BYTES = 64 * 1024;

interface Entry {
  /** Of the query that has the slot at the moment. */
  query: string;
  outcome: SearchOutcome;
}

/**
 * Outcomes of public queries, for an hour, over all workers. Queries are stored as hashes alone. Every query has one of a
 * fixed number of slots, so the size needs no upkeep; a query that shares the slot of another replaces it.
 */
export class SearchCache {
  /** @param chain differs for every other set of providers. */
  constructor(
    private readonly redis: OptionalRedis,
    private readonly chain: string,
  ) {}

  async read(query: SearchQuery): Promise<SearchOutcome | undefined> {
    if (query.scope !== 'public') return undefined;
    const { hash, slot } = this.place(query);
    const stored = await this.redis.attempt((redis) => redis.get(slot));
    if (!stored) return undefined;
    const entry = JSON.parse(stored) as Entry;
    return entry.query === hash ? entry.outcome : undefined;
  }

  async write(query: SearchQuery, outcome: SearchOutcome): Promise<void> {
    // An empty answer may be that of a provider whose sources are blocked without its knowledge.
    if (query.scope !== 'public' || outcome.hits.length === 0) return;
    const { hash, slot } = this.place(query);
    const entry: Entry = { query: hash, outcome: { ...outcome, tried: [] } };
    const json = JSON.stringify(entry);
    if (Buffer.byteLength(json) > MAX_ENTRY_BYTES) return;
    await this.redis.attempt((redis) => redis.set(slot, json, 'PX', TTL_MS));
  }

  private place({ text, limit, language, recency }: SearchQuery) {
    const asked = [this.chain, text, limit, language ?? '', recency ?? ''];
    const digest = createHash('sha256').update(JSON.stringify(asked)).digest();
    const slot = digest.readUInt32BE(0) % SLOTS;
    return {
      hash: digest.toString('hex'),
      slot: `sonde:search:cache:${slot}`,
    };
  }
}
