import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisTarget } from '../../config/addresses/redis-url';
import { RedisClock } from './redis-clock';

export type RedisClient = Redis | Cluster;

/** What a process does during an outage of Redis: an API responds 503 at once, a worker waits. */
export type OutageMode = 'fail-fast' | 'wait';

const OUTAGE_OPTIONS: Record<OutageMode, RedisOptions> = {
  'fail-fast': {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 5_000,
  },
  // BullMQ workers require null: a command waits until Redis is available again.
  wait: { maxRetriesPerRequest: null },
};

/** Time limit of one connection attempt; a start waits this long for the first one. */
const CONNECT_MS = 5_000;
/** A connection without a response for this long is dead, whatever TCP reports. BullMQ blocks for 10 s at most. */
const UNRESPONSIVE_MS = 15_000;

/** Keys per SCAN step: a few hundred microseconds of the server. */
const SCAN_COUNT = 1_000;

/** Opens all connections to Redis. */
@Injectable()
export class RedisConnections implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('Redis');
  private readonly opened: RedisClient[] = [];
  private reachable = true;

  /** For every command that does not block. Shared by the process, with the queues of BullMQ. */
  readonly commands: RedisClient;
  /** For `SUBSCRIBE`; it resubscribes after a reconnect. */
  readonly subscriber: RedisClient;
  /** The clock for timestamps of stored data. */
  readonly clock: RedisClock;

  constructor(
    private readonly target: RedisTarget,
    outageMode: OutageMode,
  ) {
    this.commands = this.open(OUTAGE_OPTIONS[outageMode]);
    this.subscriber = this.open({ maxRetriesPerRequest: null });
    this.clock = new RedisClock(this.commands);
    this.commands.on('ready', () => {
      if (!this.reachable) this.log.log('Redis is available again');
      this.reachable = true;
    });
  }

  get ready(): boolean {
    return this.commands.status === 'ready';
  }

  /** Waits for the first connection, so that an API with a healthy Redis never refuses its first requests. */
  async onModuleInit(): Promise<void> {
    await this.firstConnection();
    await this.clock.sync();
  }

  private firstConnection(): Promise<void> {
    if (this.ready) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CONNECT_MS);
      const settle = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.commands.once('ready', settle).once('error', settle);
    });
  }

  /** The servers that hold the data: every master of a Cluster, or the single server. */
  get masters(): Redis[] {
    const { commands } = this;
    return commands instanceof Cluster ? commands.nodes('master') : [commands];
  }

  /** All matching keys, page by page. A key may be returned twice. */
  async *scan(match: string): AsyncGenerator<string[]> {
    for (const master of this.masters) {
      let cursor = '0';
      do {
        const page = ['MATCH', match, 'COUNT', SCAN_COUNT] as const;
        const [next, keys] = await master.scan(cursor, ...page);
        yield keys;
        cursor = next;
      } while (cursor !== '0');
    }
  }

  onApplicationShutdown(): void {
    this.clock.close();
    for (const client of this.opened) client.disconnect();
  }

  private open(options: RedisOptions): RedisClient {
    const client = connect(this.target, {
      ...options,
      connectTimeout: CONNECT_MS,
      socketTimeout: UNRESPONSIVE_MS,
      retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
    });
    client.on('error', () => {
      // One line per outage, not per attempt; the address is never logged.
      if (this.reachable) this.log.warn('Redis cannot be reached');
      this.reachable = false;
    });
    this.opened.push(client);
    return client;
  }
}

function connect(target: RedisTarget, options: RedisOptions): RedisClient {
  if (target.kind === 'socket') {
    return new Redis({ ...options, path: target.path, db: target.db });
  }
  const access: RedisOptions = {
    ...options,
    username: target.username,
    password: target.password,
    ...(target.tls && { tls: {} }),
  };
  switch (target.kind) {
    case 'single':
      return new Redis({
        ...access,
        host: target.host,
        port: target.port,
        db: target.db,
      });
    case 'sentinel':
      return new Redis({
        ...access,
        sentinels: target.sentinels,
        name: target.master,
        db: target.db,
        ...(target.tls && { enableTLSForSentinelMode: true }),
      });
    case 'cluster':
      return new Cluster(target.nodes, {
        redisOptions: access,
        enableOfflineQueue: options.enableOfflineQueue,
        clusterRetryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
      });
  }
}
