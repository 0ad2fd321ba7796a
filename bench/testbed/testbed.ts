import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import { startEmbeddedRedis } from '../../src/platform/redis/embedded-redis';
import { Child } from './child';

/** Runs a bench on a testbed of its own, which is torn down however the bench ends. */
export async function withTestbed<T>(
  bench: (testbed: Testbed) => Promise<T>,
): Promise<T> {
  const testbed = new Testbed();
  try {
    await testbed.open();
    return await bench(testbed);
  } finally {
    await testbed.close();
  }
}

/** A private Redis, as the service embeds it, and the processes that were started on it. */
export class Testbed {
  redis: Redis;
  /** Of every process that is added. */
  env: Record<string, string> = {};
  private readonly closes: (() => Promise<unknown>)[] = [];

  async open(): Promise<void> {
    const dataDir = await mkdtemp(join(tmpdir(), 'sonde-bench-'));
    this.closes.push(() => remove(dataDir));
    const server = await startEmbeddedRedis({ dataDir });
    const { path } = server.target as { path: string };
    this.closes.push(() => remove(dirname(path)));
    this.closes.push(() => server.stop());
    this.redis = new Redis({ path });
    this.closes.push(async () => this.redis.disconnect());
    // A rewrite of the append-only file would slow down a single variant.
    await this.redis.config('SET', 'auto-aof-rewrite-percentage', '0');
    this.env = {
      REDIS_URL: `unix://${path}`,
      REDIS_PATH: path,
      RELAY_MAX_INVOCATIONS: '1000000',
      RELAY_RESEARCH_TIMEOUT_SECONDS: '3600',
      RESEARCH_CONCURRENCY: '10000',
    };
  }

  /** Starts a built process that runs until the testbed closes. */
  async add(script: string, env: Record<string, string> = {}): Promise<Child> {
    const child = await Child.start(script, { ...this.env, ...env });
    this.closes.push(() => child.stop());
    return child;
  }

  async close(): Promise<void> {
    for (let close = this.closes.pop(); close; close = this.closes.pop())
      await close();
  }
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}
