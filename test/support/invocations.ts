import type { Queue } from 'bullmq';
import { loadConfig } from '../../src/config/load-config';
import { RedisConnections } from '../../src/platform/redis/redis-connections';
import { EndListeners } from '../../src/runs/ending/end-listeners';
import { KEYS } from '../../src/runs/record/run-keys';
import type { RunJob } from '../../src/runs/queue/run-queue';
import { RunReader } from '../../src/runs/store/run-reader';
import { RunStore } from '../../src/runs/store/run.store';
import { Reconciler } from '../../src/runs/upkeep/reconciler';
import { CapacityStore } from '../../src/runs/store/capacity.store';
import type { RunKinds } from '../../src/runs/queue/run-kinds';
import { kindsOn } from './run-kinds';
import type { TestRedis } from './redis/redis';

/** The kernel of runs without processes, and the states in which a crash can leave it. */
export class Invocations {
  readonly connections: RedisConnections;
  readonly kinds: RunKinds;
  /** The kind of run of tools without a kind of their own. */
  readonly queue: Queue;
  readonly store: RunStore;
  readonly reader: RunReader;
  readonly unfinished: CapacityStore;
  readonly endings: EndListeners;
  readonly reconciler: Reconciler;

  constructor(
    private readonly redis: TestRedis,
    readonly config = loadConfig({ REDIS_URL: redis.url }),
  ) {
    this.connections = new RedisConnections(config.redis!, 'wait');
    ({ kinds: this.kinds, queue: this.queue } = kindsOn(this.connections));
    this.store = new RunStore(this.connections, config);
    this.reader = new RunReader(this.connections, this.kinds);
    this.unfinished = new CapacityStore(this.connections, config);
    this.endings = new EndListeners(this.unfinished, this.kinds, this.store);
    this.reconciler = new Reconciler(
      this.unfinished,
      this.endings,
      this.reader,
      this.kinds,
    );
  }

  /** Accepted, but not delivered to any worker. */
  async create(id: string, tool = 'deep_research'): Promise<void> {
    await this.unfinished.reserve(id);
    await this.store.create(id, { tool, mode: 'background', args: '{}' });
  }

  /** The deliveries that wait for workers. */
  async underWay(): Promise<string[]> {
    const jobs = await this.queue.getPrioritized();
    return jobs.map(({ data }) => (data as RunJob).invocation_id);
  }

  async close(): Promise<void> {
    await this.queue.close();
    this.connections.onApplicationShutdown();
  }

  /** As if it had been submitted long ago. */
  async age(id: string): Promise<void> {
    await this.redis.call('ZADD', KEYS.unfinished, 'XX', '1', id);
  }

  /** Final in its record, but its worker died before it could settle it. */
  async end(id: string): Promise<void> {
    await this.store.finish(id, undefined, {
      status: 'failed',
      error: { code: 'internal_error', message: 'm' },
    });
  }

  /** All indexed runs, oldest first. */
  async indexed(): Promise<string[]> {
    const ids = await this.redis.call('ZRANGE', KEYS.unfinished, '0', '-1');
    return ids as string[];
  }
}
