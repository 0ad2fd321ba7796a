import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** A Redis of a test's own, on a Unix socket. */
export class TestRedis {
  private readonly directory = mkdtempSync(join(tmpdir(), 'sonde-redis-'));
  private readonly socket = join(this.directory, 'redis.sock');
  private process?: ChildProcess;
  readonly url = `unix://${this.socket}`;

  static async start(): Promise<TestRedis> {
    const redis = new TestRedis();
    await redis.up();
    return redis;
  }

  /** Also after `down`: on the same data. */
  async up(): Promise<void> {
    this.process = spawn(
      'redis-server',
      ['--port', '0', '--unixsocket', this.socket, '--dir', this.directory]
        .concat([
          '--save',
          '',
          '--appendonly',
          'yes',
          '--appendfsync',
          'always',
        ])
        .concat(['--maxmemory-policy', 'noeviction']),
      { stdio: 'ignore' },
    );
    const client = this.connect();
    await client.ping();
    client.disconnect();
  }

  async down(): Promise<void> {
    if (!this.process) return;
    const ended = new Promise((resolve) => this.process!.once('exit', resolve));
    this.process.kill('SIGKILL');
    await ended;
    this.process = undefined;
  }

  async stop(): Promise<void> {
    await this.down();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** One command, and its reply. */
  async call(command: string, ...args: string[]): Promise<unknown> {
    const client = this.connect();
    try {
      return await client.call(command, args);
    } finally {
      client.disconnect();
    }
  }

  /** All that is stored under keys that match, as text. */
  async dump(match = '*'): Promise<string> {
    const client = this.connect();
    const contents = [];
    for (const key of await client.keys(match)) {
      const type = await client.type(key);
      const read: Record<string, () => Promise<unknown>> = {
        string: () => client.get(key),
        hash: () => client.hgetall(key),
        list: () => client.lrange(key, 0, -1),
        set: () => client.smembers(key),
        zset: () => client.zrange(key, '0', '-1'),
        stream: () => client.xrange(key, '-', '+'),
      };
      contents.push([key, await read[type]?.()]);
    }
    client.disconnect();
    return JSON.stringify(contents);
  }

  /** Waits for the server to be there. */
  connect(): Redis {
    const client = new Redis({
      path: this.socket,
      maxRetriesPerRequest: null,
      retryStrategy: () => 20,
    });
    client.on('error', () => undefined);
    return client;
  }
}
