import { Injectable } from '@nestjs/common';
import { within } from '../pause';
import { type RedisClient, RedisConnections } from './redis-connections';

/** What can be done without Redis does not wait longer for it. */
const PATIENCE_MS = 1_000;

/** Redis for what can be done without: caches, and limits over all workers. */
@Injectable()
export class OptionalRedis {
  constructor(private readonly connections: RedisConnections) {}

  /** To define scripts on. */
  get client(): RedisClient {
    return this.connections.commands;
  }

  /** The clock that all workers share. */
  now(): number {
    return this.connections.clock.now();
  }

  /** The result of `command`, or of `instead` if Redis is unavailable, refuses or gives none in time. */
  async attempt<T, I = undefined>(
    command: (redis: RedisClient) => Promise<T>,
    instead: () => I | Promise<I> = () => undefined as I,
  ): Promise<T | I> {
    // A worker's commands would wait for the end of an outage.
    if (!this.connections.ready) return instead();
    try {
      return await within(PATIENCE_MS, command(this.client), () => {
        throw new Error('late');
      });
    } catch {
      return instead();
    }
  }
}
