import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../processes/free-port';

/** One server on a port of loopback. */
export class Member {
  readonly client: Redis;
  private readonly process: ChildProcess;

  constructor(
    readonly port: number,
    /** A configuration file, applied before the other settings. */
    config: string[],
    settings: Record<string, string>,
  ) {
    this.process = spawn(
      'redis-server',
      [
        ...config,
        ...Object.entries({
          port: String(port),
          save: '',
          ...settings,
        }).flatMap(([name, value]) => [`--${name}`, value]),
      ],
      { stdio: 'ignore' },
    );
    this.client = new Redis({
      port,
      maxRetriesPerRequest: null,
      retryStrategy: () => 20,
    });
    this.client.on('error', () => undefined);
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async kill(): Promise<void> {
    this.client.disconnect();
    if (this.process.exitCode !== null || this.process.signalCode !== null)
      return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGKILL');
    await ended;
  }
}

/** Several servers that a test starts one by one, and stops together. */
export class RedisFleet {
  private readonly directory = mkdtempSync(join(tmpdir(), 'sonde-fleet-'));
  protected readonly members: Member[] = [];

  protected async add(
    settings: Record<string, string>,
    ...config: string[]
  ): Promise<Member> {
    const port = await freePort();
    const member = new Member(port, config, {
      dir: this.directory,
      ...settings,
    });
    this.members.push(member);
    await member.client.ping();
    return member;
  }

  protected path(name: string): string {
    return join(this.directory, name);
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
    rmSync(this.directory, { recursive: true, force: true });
  }
}
