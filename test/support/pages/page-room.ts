import type { AppConfig } from '../../../src/config/config';
import type { ExtractionPool } from '../../../src/sources/pages/extraction/extraction-pool';
import {
  extractPage,
  isAllowed,
} from '../../../src/sources/pages/extraction/page-extraction';
import { HostSlots } from '../../../src/sources/pages/fetch/host-slots';
import { PageClient } from '../../../src/sources/pages/fetch/page.client';
import { PageFetcher } from '../../../src/sources/pages/fetch/page-fetcher';
import { RobotsRules } from '../../../src/sources/pages/fetch/robots-rules';
import { PageCache } from '../../../src/sources/pages/page-cache';
import { PageLimits } from '../../../src/sources/pages/page-limits';
import { PageReader } from '../../../src/sources/pages/page-reader';
import { OptionalRedis } from '../../../src/platform/redis/optional-redis';
import { RedisConnections } from '../../../src/platform/redis/redis-connections';
import type { TestRedis } from '../redis/redis';

/** The functions of the threads, in this one: their entry exists in a build alone. */
export const POOL = {
  extract: extractPage,
  isAllowed: (task: Parameters<typeof isAllowed>[0]) =>
    Promise.resolve(isAllowed(task)),
} as unknown as ExtractionPool;

/** The reader of pages of one worker. */
export class PageRoom {
  readonly connections: RedisConnections;
  readonly reader: PageReader;
  readonly cache: PageCache;
  readonly slots: HostSlots;
  private readonly client: PageClient;

  constructor(
    redis: TestRedis,
    allowedOrigins: readonly string[],
    limits: Partial<PageLimits> = {},
  ) {
    const { socket: path } = redis;
    const target = { kind: 'socket', path, db: 0 } as const;
    this.connections = new RedisConnections(target, 'wait');
    const optional = new OptionalRedis(this.connections);
    const allLimits = Object.assign(new PageLimits(), limits);
    this.slots = new HostSlots(optional, allLimits);
    const config = { pages: { allowedOrigins } } as AppConfig;
    this.client = new PageClient(config, this.slots, allLimits);
    const robots = new RobotsRules(this.client, POOL);
    const fetcher = new PageFetcher(this.client, robots);
    this.cache = new PageCache(optional);
    this.reader = new PageReader(this.client, fetcher, POOL, this.cache);
  }

  async ready(): Promise<this> {
    await this.connections.onModuleInit();
    return this;
  }

  async close(): Promise<void> {
    await this.client.onApplicationShutdown();
    this.connections.onApplicationShutdown();
  }
}
