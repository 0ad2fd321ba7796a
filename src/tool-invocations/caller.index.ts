import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { type RedisClient, RedisConnections } from '../redis/redis-connections';
import { KEYS } from './invocation.keys';

/** The invocations of each caller. Ids sort by time, so that an id is also the cursor of a listing. */
@Injectable()
export class CallerIndex {
  private readonly redis: RedisClient;

  constructor(
    connections: RedisConnections,
    private readonly config: AppConfig,
  ) {
    this.redis = connections.commands;
  }

  async add(caller: string, id: string): Promise<void> {
    const key = KEYS.caller(caller);
    await this.redis
      .pipeline()
      .zadd(key, 0, id)
      // Records live on for the retention after their end; the listing outlives them and forgets lazily.
      .pexpire(
        key,
        this.config.invocations.retentionMs +
          this.config.research.timeoutMs +
          86_400_000,
      )
      .exec()
      .then((results) => results?.forEach(([error]) => throwIf(error)));
  }

  /** Newest first, from before `cursor`. */
  async page(
    caller: string,
    cursor: string | undefined,
    size: number,
  ): Promise<string[]> {
    const from = cursor === undefined ? '+' : `(${cursor}`;
    return this.redis.zrange(
      KEYS.caller(caller),
      from,
      '-',
      'BYLEX',
      'REV',
      'LIMIT',
      0,
      size,
    );
  }

  async remove(caller: string, ...ids: string[]): Promise<void> {
    if (ids.length > 0) await this.redis.zrem(KEYS.caller(caller), ...ids);
  }
}

function throwIf(error: Error | null): void {
  if (error) throw error;
}
