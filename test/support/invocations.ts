import { z } from 'zod';
import { loadConfig } from '../../src/config/load-config';
import { RedisConnections } from '../../src/redis/redis-connections';
import { InvocationEndings } from '../../src/tool-invocations/invocation.endings';
import { KEYS } from '../../src/tool-invocations/invocation.keys';
import { InvocationReader } from '../../src/tool-invocations/invocation.reader';
import { InvocationStore } from '../../src/tool-invocations/invocation.store';
import { Reconciler } from '../../src/tool-invocations/reconciler';
import { UnfinishedIndex } from '../../src/tool-invocations/unfinished.index';
import type { Tool } from '../../src/tools/tool';
import { ToolRegistry } from '../../src/tools/tool.registry';
import type { TestRedis } from './redis';

/** The room of invocations without processes, and what a crash can do to it. */
export class Invocations {
  readonly connections: RedisConnections;
  readonly registry = new ToolRegistry();
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
    this.store = new InvocationStore(this.connections, config);
    this.reader = new InvocationReader(this.connections, this.registry);
    this.unfinished = new UnfinishedIndex(this.connections, config);
    this.endings = new InvocationEndings(this.unfinished);
    this.reconciler = new Reconciler(
      this.unfinished,
      this.endings,
      this.reader,
      this.registry,
    );
  }

  /** Accepted, but not given to any worker. */
  async create(id: string, tool = 'deep_research'): Promise<void> {
    await this.unfinished.reserve(id);
    await this.store.create(id, { tool, mode: 'background', args: '{}' });
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
  async indexed(): Promise<unknown> {
    return this.redis.call('ZRANGE', KEYS.unfinished, '0', '-1');
  }
}

/** A tool whose workers are a list: `underWay` is what they would still be given. */
export class ListedTool implements Tool {
  readonly name = 'deep_research';
  readonly description = 'Does nothing.';
  readonly argumentsSchema = z.object({});
  readonly offered = { name: this.name, description: '', parameters: {} };
  readonly underWay = new Set<string>();

  async start(id: string): Promise<null> {
    this.underWay.add(id);
    return null;
  }
  async revive(id: string): Promise<void> {
    this.underWay.add(id);
  }
  async isUnderWay(id: string): Promise<boolean> {
    return this.underWay.has(id);
  }
  async hasten(): Promise<void> {}
  async queuePosition(): Promise<null> {
    return null;
  }
}
