import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../../platform/redis/redis-connections';

/** A page does not wait longer for Redis. */
const PATIENCE_MS = 1_000;

/** Redis for what a page can do without: its cache, and the limit per host over all workers. */
@Injectable()
export class OptionalRedis {
  constructor(private readonly connections: RedisConnections) {}

  /** The clock that all workers share. */
  now(): number {
    return this.connections.clock.now();
  }

  /** Undefined if Redis is unavailable or refuses. */
  async attempt<T>(
    command: (redis: RedisClient) => Promise<T>,
  ): Promise<T | undefined> {
    if (!this.connections.ready) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, undefined);
    });
    try {
      return await Promise.race([command(this.connections.commands), patience]);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
