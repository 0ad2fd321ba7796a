import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { type RedisClient, RedisConnections } from './redis-connections';

/** String: time of the last deletion that requested a rewrite, in ms. */
const REQUESTED = 'sonde:rewrite';
/** String: a rewrite was started recently. */
const STARTED = 'sonde:rewriting';
/** A rewrite reads and writes all data, so at most one runs in this interval. */
const MIN_INTERVAL_MS = 300_000;
/** A stopped run may still write for this long. */
const SETTLED_MS = 30_000;

/** Removes deleted data from the append-only file, which holds every command with its arguments until it is rewritten. */
@Injectable()
export class AppendOnlyFileRewrite {
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

  /** Requests a rewrite, because something was or will be deleted. */
  async request(): Promise<void> {
    if (this.enabled)
      await this.redis.set(REQUESTED, String(this.connections.clock.now()));
  }

  /** Starts a rewrite if one is due. */
  async runIfDue(): Promise<void> {
    const requested = this.enabled ? await this.redis.get(REQUESTED) : null;
    if (requested === null) return;
    if (this.connections.clock.now() - Number(requested) < SETTLED_MS) return;
    const first = await this.redis.set(
      STARTED,
      '1',
      'PX',
      MIN_INTERVAL_MS,
      'NX',
    );
    if (first === null) return;
    await this.redis.del(REQUESTED);
    for (const master of this.connections.masters)
      try {
        await master.bgrewriteaof();
      } catch (error) {
        // A rewrite in progress may have passed the deleted data already.
        await this.request();
        this.log.warn('The append-only file could not be rewritten');
        this.log.debug(error);
      }
  }
}
