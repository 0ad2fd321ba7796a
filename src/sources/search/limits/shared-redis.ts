import {
  type RedisClient,
  RedisConnections,
} from '../../../platform/redis/redis-connections';

/** A search never waits longer for Redis: what it holds for searches can be done without. */
const PATIENCE_MS = 1_000;

/** Redis for what a search can do without. */
export class SharedRedis {
  constructor(private readonly connections: RedisConnections) {}

  get client(): RedisClient {
    return this.connections.commands;
  }

  /** The result of `work`, or of `instead` if Redis gives none in time. */
  async attempt<T>(
    work: () => Promise<T>,
    instead: () => T | Promise<T>,
  ): Promise<T> {
    // A worker's commands would wait for the end of an outage.
    if (!this.connections.ready) return instead();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('late')), PATIENCE_MS);
    });
    try {
      return await Promise.race([work(), late]);
    } catch {
      return instead();
    } finally {
      clearTimeout(timer);
    }
  }
}
