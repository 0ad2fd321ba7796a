import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from '../until';

export interface TestRedisOptions {
  /** When writes have to reach the disk; default `always`. */
  appendfsync?: 'always' | 'everysec';
  /** The maximum size of each of its files, as on a full disk. */
  roomBytes?: number;
  /** `no`: it begins with the snapshot of its folder, as to restore a backup; default `yes`. */
  appendonly?: 'yes' | 'no';
}

/** Starts a server whose files cannot grow beyond $0 blocks of 512 bytes, and ignores the signal that reports it. */
const IN_LITTLE_ROOM = `trap '' XFSZ; ulimit -S -f "$0"; exec redis-server "$@"`;

/** A Redis for one test file, on a Unix socket. */
export class TestRedis {
  private readonly directory = mkdtempSync(join(tmpdir(), 'sonde-redis-'));
  readonly socket = join(this.directory, 'redis.sock');
  private readonly log = join(
    this.directory,
    'appendonlydir/appendonly.aof.1.incr.aof',
  );
  private process?: ChildProcess;
  readonly url = `unix://${this.socket}`;

  private constructor(private readonly options: TestRedisOptions) {}

  static async start(options: TestRedisOptions = {}): Promise<TestRedis> {
    const redis = new TestRedis(options);
    await redis.up();
    return redis;
  }

  /** Also after `down`, on the same data. */
  async up(changes: TestRedisOptions = {}): Promise<void> {
    const {
      appendfsync = 'always',
      appendonly = 'yes',
      roomBytes,
    } = {
      ...this.options,
      ...changes,
    };
    const args = Object.entries({
      port: '0',
      unixsocket: this.socket,
      dir: this.directory,
      save: '',
      appendonly,
      appendfsync,
      'maxmemory-policy': 'noeviction',
    }).flatMap(([name, value]) => [`--${name}`, value]);
    this.process =
      roomBytes === undefined
        ? spawn('redis-server', args, { stdio: 'ignore' })
        : spawn(
            'sh',
            ['-c', IN_LITTLE_ROOM, String(roomBytes / 512), ...args],
            { stdio: 'ignore' },
          );
    // Rejects if there is no such program.
    await once(this.process, 'spawn');
    const client = this.connect();
    await client.ping();
    client.disconnect();
  }

  /** A snapshot of all that it holds now, by the command of docs/backup.md. */
  backUp(file: string): void {
    execFileSync('redis-cli', ['-s', this.socket, '--rdb', file], {
      stdio: 'ignore',
    });
  }

  /** By the steps of docs/backup.md, while it is down: it is up afterwards, with what the snapshot holds. */
  async restore(file: string): Promise<void> {
    const log = join(this.directory, 'appendonlydir');
    rmSync(log, { recursive: true, force: true });
    copyFileSync(file, join(this.directory, 'dump.rdb'));
    await this.up({ appendonly: 'no' });
    await this.call('CONFIG', 'SET', 'appendonly', 'yes');
    await until('the append-only file to be written', async (saw) => {
      const info = saw(String(await this.call('INFO', 'persistence')));
      return /aof_rewrite_in_progress:0\s[^]*aof_last_bgrewrite_status:ok/.test(
        info,
      );
    });
    await this.down('SIGTERM');
    await this.up();
  }

  /** Lifts the limit on the size of its files. */
  makeRoom(): void {
    execFileSync('prlimit', [
      `--pid=${this.process!.pid}`,
      '--fsize=unlimited',
    ]);
  }

  /** The current contents of its append-only log. */
  readLog(): Buffer {
    return readFileSync(this.log);
  }

  /** Replaces its append-only log, while it is down. */
  writeLog(log: Buffer): void {
    writeFileSync(this.log, log);
  }

  /** Resolves when the server exits by itself. */
  async ended(): Promise<void> {
    const { process } = this;
    if (process && process.exitCode === null)
      await new Promise((resolve) => process.once('exit', resolve));
    this.process = undefined;
  }

  async down(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.process) return;
    const ended = new Promise((resolve) => this.process!.once('exit', resolve));
    this.process.kill(signal);
    await ended;
    this.process = undefined;
  }

  async stop(): Promise<void> {
    await this.down();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Sends one command and returns its reply. */
  async call(command: string, ...args: string[]): Promise<unknown> {
    const client = this.connect();
    try {
      return await client.call(command, args);
    } finally {
      client.disconnect();
    }
  }

  /** Everything stored under keys that match, as text, in an order of its own: that of Redis changes as its tables grow. */
  async dump(match = '*'): Promise<string> {
    const client = this.connect();
    const contents = [];
    for (const key of (await client.keys(match)).sort()) {
      const type = await client.type(key);
      const read: Record<string, () => Promise<unknown>> = {
        string: () => client.get(key),
        hash: async () => sorted(await client.hgetall(key)),
        list: () => client.lrange(key, 0, -1),
        set: async () => (await client.smembers(key)).sort(),
        zset: () => client.zrange(key, '0', '-1'),
        stream: () => client.xrange(key, '-', '+'),
      };
      contents.push([key, await read[type]?.()]);
    }
    client.disconnect();
    return JSON.stringify(contents);
  }

  /** Nothing of the invocation is stored except that its id existed. */
  async hasForgotten(id: string): Promise<boolean> {
    const trace = [`sonde:{${id}}:record`, { deleted: '1' }];
    return (await this.dump(`sonde:{${id}}:*`)) === JSON.stringify([trace]);
  }

  /** Waits until the server accepts commands. */
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

/** Its fields in the order of their names. */
function sorted(hash: Record<string, string>): Record<string, string> {
  const names = Object.keys(hash).sort();
  return Object.fromEntries(names.map((name) => [name, hash[name]]));
}
