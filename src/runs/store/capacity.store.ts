import { Injectable, Optional } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { RedisMemory } from '../../platform/redis/redis-memory';
import type { RunField } from '../record/run-fields';
import { KEYS } from '../record/run-keys';

const PAGE = 200;

/**
 * KEYS: runs by a time in ms, as a negative number those that no longer count against a limit. ARGV: id, '1' if it counts.
 * One that is not among them is left out.
 */
export const COUNT_RUN = `
-- Its first write takes no memory, so it is carried out where that is full: a run is stopped there too.
redis.call('ZREM', KEYS[1], '')
local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '0')
if (ARGV[2] == '1') == (score < 0) then redis.call('ZADD', KEYS[1], 'XX', -score, ARGV[1]) end
return 1
`;

const RESERVE = `
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if redis.call('ZCOUNT', KEYS[1], 0, '+inf') >= tonumber(ARGV[2]) then return 0 end
local clock = redis.call('TIME')
redis.call('ZADD', KEYS[1], clock[1] * 1000 + math.floor(clock[2] / 1000), ARGV[1])
return 1
`;

interface Scripts {
  sondeReserve(key: string, id: string, max: number): Promise<number>;
  sondeCountRun(key: string, id: string, counts: '0' | '1'): Promise<number>;
}

/** All unfinished runs: the capacity is counted by them, and the reconciler scans them. One that is about to end counts no more. */
@Injectable()
export class CapacityStore {
  private readonly redis: RedisClient & Scripts;

  constructor(
    connections: RedisConnections,
    private readonly config: AppConfig,
    @Optional() private readonly memory?: RedisMemory,
  ) {
    const { commands } = connections;
    commands.defineCommand('sondeReserve', { numberOfKeys: 1, lua: RESERVE });
    commands.defineCommand('sondeCountRun', {
      numberOfKeys: 1,
      lua: COUNT_RUN,
    });
    this.redis = commands as RedisClient & Scripts;
  }

  /**
   * @param needed what was accepted before cannot end without it: to refuse it would leave both waiting for room.
   * @throws AppError `capacity_exceeded`.
   */
  async reserve(id: string, needed = false): Promise<void> {
    if (this.memory?.isFull && !needed)
      throw new AppError('capacity_exceeded', 'The storage is nearly full.', {
        retryAfterSeconds: 5,
      });
    const { maxUnfinished } = this.config.runs;
    const max = needed ? Number.MAX_SAFE_INTEGER : maxUnfinished;
    if ((await this.redis.sondeReserve(KEYS.unfinished, id, max)) === 1) return;
    throw new AppError(
      'capacity_exceeded',
      `There are ${max} unfinished invocations already.`,
      {
        retryAfterSeconds: 5,
      },
    );
  }

  count(): Promise<number> {
    return this.redis.zcount(KEYS.unfinished, 0, '+inf');
  }

  /** Whether the run counts against the capacity. */
  async setCounted(id: string, counts: boolean): Promise<void> {
    await this.redis.sondeCountRun(KEYS.unfinished, id, counts ? '1' : '0');
  }

  async remove(id: string): Promise<void> {
    await this.redis.zrem(KEYS.unfinished, id);
  }

  /** Puts one back that is missing, at its place. */
  async restore(id: string): Promise<void> {
    const createdMs = await this.redis.hget(
      KEYS.record(id),
      'created_ms' satisfies RunField,
    );
    await this.redis.zadd(KEYS.unfinished, 'NX', createdMs ?? 0, id);
  }

  /** Those of `ids` that are not in the index. */
  async without(ids: string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const scores = await this.redis.zmscore(KEYS.unfinished, ...ids);
    return ids.filter((_, i) => scores[i] === null);
  }

  /**
   * All that were submitted at least `ageMs` ago, a page of about 200 at a time. One may come twice; none that stays
   * in the index is missed, whatever is added and removed meanwhile.
   */
  async *olderThan(ageMs: number): AsyncGenerator<string[]> {
    const [seconds] = await this.redis.time();
    const before = Number(seconds) * 1000 - ageMs;
    let cursor = '0';
    do {
      const [next, flat] = await this.redis.zscan(
        KEYS.unfinished,
        cursor,
        'COUNT',
        PAGE,
      );
      yield flat.filter(
        (_, i) => i % 2 === 0 && Math.abs(Number(flat[i + 1])) <= before,
      );
      cursor = next;
    } while (cursor !== '0');
  }
}
