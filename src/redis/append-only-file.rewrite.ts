import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { type RedisClient, RedisConnections } from './redis-connections';

/** String: when a deletion last asked for a rewrite, in ms. */
const ASKED = 'sonde:rewrite';
/** String: one was begun a moment ago. */
const BEGUN = 'sonde:rewriting';
/** A rewrite reads and writes all data, so there is no more than one in so much time. */
const EVERY_MS = 300_000;
/** A run that was told to stop may write until then. */
const SETTLED_MS = 30_000;

/**
 * Lets the append-only file forget what was deleted: it keeps every command, with all that was in it, until it is rewritten.
 */
@Injectable()
export class LogRewrite {
  private readonly log = new Logger('Redis');
  private readonly redis: RedisClient;
  private readonly enabled: boolean;

  constructor(
    private readonly connections: RedisConnections,
    config: AppConfig,
  ) {
    this.redis = connections.commands;
    this.enabled = config.runs.rewriteAfterDelete;
  }

  /** Something was deleted, or is about to be. */
  async ask(): Promise<void> {
    if (this.enabled)
      await this.redis.set(ASKED, String(this.connections.clock.now()));
  }

  /** Begins a rewrite if it is time for one. */
  async round(): Promise<void> {
    const asked = this.enabled ? await this.redis.get(ASKED) : null;
    if (asked === null) return;
    if (this.connections.clock.now() - Number(asked) < SETTLED_MS) return;
    const first = await this.redis.set(BEGUN, '1', 'PX', EVERY_MS, 'NX');
    if (first === null) return;
    await this.redis.del(ASKED);
    for (const master of this.connections.masters)
      try {
        await master.bgrewriteaof();
      } catch (error) {
        // One that is under way may have passed what was deleted.
        await this.ask();
        this.log.warn('The append-only file could not be rewritten');
        this.log.debug(error);
      }
  }
}
