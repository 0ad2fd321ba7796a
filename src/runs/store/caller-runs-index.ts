import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { KEYS } from '../record/run-keys';
import { type IdPrefix, prefixOf } from '../record/run-id';

const DAY_MS = 86_400_000;
/** A record is created after its id, by less than this. */
const SUBMISSION_MS = 3_600_000;

/** When runs were created, from the first time, and before the second; newest first unless it says otherwise. */
export interface CreatedIn {
  fromMs: number;
  toMs: number;
  isOldestFirst?: boolean;
}
const ALWAYS: CreatedIn = { fromMs: 0, toMs: Infinity };

/** The id, the oldest that may still have a record, milliseconds: never less than what those already listed need. */
const LIST = `
redis.call('ZADD', KEYS[1], 0, ARGV[1])
redis.call('ZREMRANGEBYLEX', KEYS[1], '-', '(' .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3], 'NX')
redis.call('PEXPIRE', KEYS[1], ARGV[3], 'GT')
`;

interface WithList {
  sondeList(key: string, id: string, oldest: string, ms: number): Promise<null>;
}

/**
 * The invocations of each caller, and apart from them its chats; callers without a name are taken as one. Ids sort by time, so
 * that an id is also the cursor of a listing.
 */
@Injectable()
export class CallerRunsIndex {
  private readonly redis: RedisClient & WithList;

  constructor(
    private readonly connections: RedisConnections,
    private readonly config: AppConfig,
  ) {
    const { commands } = connections;
    commands.defineCommand('sondeList', { numberOfKeys: 1, lua: LIST });
    this.redis = commands as RedisClient & WithList;
  }

  /** By the clock of Redis, which ids begin with. */
  now(): number {
    return this.connections.clock.now();
  }

  /** `dueMs`: when it begins, if not at once. */
  async add(
    caller: string | undefined,
    id: string,
    dueMs?: number,
    retentionMs = this.config.runs.retentionMs,
  ): Promise<void> {
    const prefix = prefixOf(id);
    const { research } = this.config;
    // Records live on for the retention after their end, and a decision may take as long; a day is for the wait before their begin.
    const keptMs = 2 * retentionMs + research.timeoutMs + DAY_MS;
    const now = this.now();
    const untilEndMs = keptMs + Math.max(0, (dueMs ?? 0) - now);
    const oldest = oldestId(prefix, now - keptMs);
    await this.redis.sondeList(keyOf(prefix, caller), id, oldest, untilEndMs);
  }

  /** Those after `cursor` in their order: all that were created then, and perhaps some that were not. */
  async page(
    caller: string | undefined,
    cursor: string | undefined,
    size: number,
    prefix: IdPrefix = 'inv_',
    { fromMs, toMs, isOldestFirst = false }: CreatedIn = ALWAYS,
  ): Promise<string[]> {
    const after = cursor === undefined ? undefined : `(${cursor}`;
    const least =
      fromMs > 0 ? `[${oldestId(prefix, fromMs - SUBMISSION_MS)}` : '-';
    const most = Number.isFinite(toMs) ? `(${oldestId(prefix, toMs)}` : '+';
    const listed = (key: string): Promise<string[]> =>
      isOldestFirst
        ? this.redis.zrange(
            key,
            after ?? least,
            most,
            'BYLEX',
            'LIMIT',
            0,
            size,
          )
        : this.redis.zrange(
            key,
            after ?? most,
            least,
            'BYLEX',
            'REV',
            'LIMIT',
            0,
            size,
          );
    // The index forgets those that are older than any record of the retention.
    const kept = prefix === 'inv_' ? [KEYS.kept(caller ?? '')] : [];
    const pages = await Promise.all(
      [keyOf(prefix, caller), ...kept].map(listed),
    );
    const ids = [...new Set(pages.flat())].sort();
    return (isOldestFirst ? ids : ids.reverse()).slice(0, size);
  }

  /** `ids`: all of them invocations, or all of them chats. */
  async remove(caller: string | undefined, ...ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const prefix = prefixOf(ids[0]);
    await this.redis.zrem(keyOf(prefix, caller), ...ids);
    if (prefix === 'inv_')
      await this.redis.zrem(KEYS.kept(caller ?? ''), ...ids);
  }
}

/** No API key has an empty name. */
function keyOf(prefix: IdPrefix, caller = ''): string {
  return prefix === 'chat_' ? KEYS.chats(caller) : KEYS.caller(caller);
}

/** No id that was made later sorts before it: ids are UUIDs of version 7, which begin with their time. */
function oldestId(prefix: IdPrefix, ms: number): string {
  return prefix + Math.max(0, ms).toString(16).padStart(12, '0');
}
