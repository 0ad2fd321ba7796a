import type { Queue } from 'bullmq';
import { loadConfig } from '../../src/config/load-config';
import { RedisConnections } from '../../src/redis/redis-connections';
import { InvocationEndings } from '../../src/tool-invocations/invocation.endings';
import { KEYS } from '../../src/tool-invocations/invocation.keys';
import type { InvocationJob } from '../../src/tool-invocations/invocation.queue';
import { InvocationReader } from '../../src/tool-invocations/invocation.reader';
import { InvocationStore } from '../../src/tool-invocations/invocation.store';
import { Reconciler } from '../../src/tool-invocations/reconciler';
import { UnfinishedIndex } from '../../src/tool-invocations/unfinished.index';
import type { Carriers } from '../../src/tool-invocations/carriers';
import { carriersOn } from './carriers';
import type { TestRedis } from './redis';

/** The room of invocations without processes, and what a crash can do to it. */
export class Invocations {
  readonly connections: RedisConnections;
  readonly carriers: Carriers;
  /** Of the tools that have none of their own. */
  readonly queue: Queue;
  readonly store: InvocationStore;
  readonly reader: InvocationReader;
  readonly unfinished: UnfinishedIndex;
  readonly endings: InvocationEndings;
  readonly reconciler: Reconciler;

  constructor(
    private readonly redis: TestRedis,
    readonly config = loadConfig({ REDIS_URL: redis.url }),
  ) {
    this.connections = new RedisConnections(config.redis!, 'wait');
    ({ carriers: this.carriers, queue: this.queue } = carriersOn(
      this.connections,
    ));
    this.store = new InvocationStore(this.connections, config);
    this.reader = new InvocationReader(this.connections, this.carriers);
    this.unfinished = new UnfinishedIndex(this.connections, config);
    this.endings = new InvocationEndings(this.unfinished);
    this.reconciler = new Reconciler(
      this.unfinished,
      this.endings,
      this.reader,
      this.carriers,
    );
  }

  /** Accepted, but not given to any worker. */
  async create(id: string, tool = 'deep_research'): Promise<void> {
    await this.unfinished.reserve(id);
    await this.store.create(id, { tool, mode: 'background', args: '{}' });
  }

  /** What the workers would still be given. */
  async underWay(): Promise<string[]> {
    const jobs = await this.queue.getPrioritized();
    return jobs.map(({ data }) => (data as InvocationJob).invocation_id);
  }

  async close(): Promise<void> {
    await this.queue.close();
    this.connections.onApplicationShutdown();
  }

  /** As if it had been submitted long ago. */
  async age(id: string): Promise<void> {
    await this.redis.call('ZADD', KEYS.unfinished, 'XX', '1', id);
  }

  /** Final by its record, but its worker died before it could settle it. */
  async end(id: string): Promise<void> {
    await this.store.finish(id, undefined, {
      status: 'failed',
      error: { code: 'internal_error', message: 'm' },
    });
  }

  /** All indexed, oldest first. */
  async indexed(): Promise<string[]> {
    const ids = await this.redis.call('ZRANGE', KEYS.unfinished, '0', '-1');
    return ids as string[];
  }
}
