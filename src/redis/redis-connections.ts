import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisTarget } from '../config/settings/redis-url';
import { RedisClock } from './redis.clock';

export type RedisClient = Redis | Cluster;

/** How a process treats a Redis that is away: an API answers 503 at once, a worker waits for it. */
export type RedisPatience = 'fail-fast' | 'wait';

const PATIENCE: Record<RedisPatience, RedisOptions> = {
  'fail-fast': {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 5_000,
  },
  // BullMQ workers demand null: a command waits until Redis is back.
  wait: { maxRetriesPerRequest: null },
};

/** How long one attempt to connect may take; a start waits as long for the first one. */
const CONNECT_MS = 5_000;
/** A connection that owes an answer for so long is dead, whatever TCP believes. BullMQ blocks for 10 s at the most. */
const SILENT_MS = 15_000;

/** Keys that one step of a scan looks at: no longer than a few hundred microseconds of the server. */
const SCAN_COUNT = 1_000;

/** The one place that opens connections to Redis. */
@Injectable()
export class RedisConnections implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('Redis');
  private readonly opened: RedisClient[] = [];
  private reachable = true;

  /** For every command that does not block. Shared by the whole process, BullMQ's queues included. */
  readonly commands: RedisClient;
  /** For `SUBSCRIBE`; resubscribes by itself after a reconnect. */
  readonly subscriber: RedisClient;
  /** When something is stored, and how old what is stored is. */
  readonly clock: RedisClock;

  constructor(
    private readonly target: RedisTarget,
    patience: RedisPatience,
  ) {
    this.commands = this.open(PATIENCE[patience]);
    this.subscriber = this.open({ maxRetriesPerRequest: null });
    this.clock = new RedisClock(this.commands);
    this.commands.on('ready', () => {
      if (!this.reachable) this.log.log('Redis is back');
      this.reachable = true;
    });
  }

  get ready(): boolean {
    return this.commands.status === 'ready';
  }

  /** So that the first callers are not refused by a process whose Redis is there, only not greeted yet. */
  async onModuleInit(): Promise<void> {
    await this.greeted();
    await this.clock.look();
  }

  private greeted(): Promise<void> {
    if (this.ready) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CONNECT_MS);
      const decided = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.commands.once('ready', decided).once('error', decided);
    });
  }

  /** The servers that hold the data: every master of a Cluster, else the one. */
  get masters(): Redis[] {
    const { commands } = this;
    return commands instanceof Cluster ? commands.nodes('master') : [commands];
  }

  /** All keys that match, a page at a time. One may come twice. */
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
      socketTimeout: SILENT_MS,
      retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
    });
    client.on('error', () => {
      // One line for an outage, not one for every attempt; the address stays out of the log.
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
