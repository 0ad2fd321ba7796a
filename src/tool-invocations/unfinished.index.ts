import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import { type RedisClient, RedisConnections } from '../redis/redis-connections';
import { KEYS } from './invocation.keys';

const RESERVE = `
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
local clock = redis.call('TIME')
redis.call('ZADD', KEYS[1], clock[1] * 1000 + math.floor(clock[2] / 1000), ARGV[1])
return 1
`;

/** All unfinished invocations: what the capacity is counted by, and where the sweeper looks. */
@Injectable()
export class UnfinishedIndex {
  private readonly redis: RedisClient;

  constructor(
    connections: RedisConnections,
    private readonly config: AppConfig,
  ) {
    this.redis = connections.commands;
    this.redis.defineCommand('sondeReserve', { numberOfKeys: 1, lua: RESERVE });
  }

  /** @throws AppError `capacity_exceeded`. */
  async reserve(id: string): Promise<void> {
    const redis = this.redis as unknown as {
      sondeReserve(key: string, id: string, max: number): Promise<number>;
    };
    const max = this.config.invocations.maxUnfinished;
    if ((await redis.sondeReserve(KEYS.unfinished, id, max)) === 1) return;
    throw new AppError(
      'capacity_exceeded',
      `There are ${max} unfinished invocations already.`,
      {
        retryAfterSeconds: 5,
      },
    );
  }

  async remove(id: string): Promise<void> {
    await this.redis.zrem(KEYS.unfinished, id);
  }

  /** A page of those that were submitted at least `ageMs` ago, oldest first. */
  async page(ageMs: number, offset: number, size: number): Promise<string[]> {
    const [seconds] = await this.redis.time();
    const before = Number(seconds) * 1000 - ageMs;
    return this.redis.zrangebyscore(
      KEYS.unfinished,
      '-inf',
      before,
      'LIMIT',
      offset,
      size,
    );
  }
}
