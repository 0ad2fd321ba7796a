import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Usage } from './probe';

const READY = /listening on (http:[^\s"]+)|is (?:working|ready)/;

interface Message {
  id?: number;
  event?: string;
  value: unknown;
}

/** A built process that is measured, with the probe loaded in it. */
export class Child {
  url = '';
  private lastId = 0;
  private readonly pending = new Map<
    number | string,
    (value: unknown) => void
  >();
  private readonly exited: Promise<void>;

  private constructor(private readonly process: ChildProcess) {
    this.exited = new Promise((resolve) => {
      process.once('exit', () => resolve());
    });
    process.on('message', ({ id, event, value }: Message) => {
      const key = id ?? event!;
      this.pending.get(key)?.(value);
      this.pending.delete(key);
    });
  }

  /** @param script below `dist`, e.g. `src/app/main`. */
  static async start(
    script: string,
    env: Record<string, string> = {},
  ): Promise<Child> {
    const forked = fork(join(__dirname, '../..', `${script}.js`), {
      execArgv: ['--expose-gc', '--require', join(__dirname, 'probe.js')],
      // Nothing else is inherited, since a REDIS_URL of the caller would be used.
      env: { PATH: process.env.PATH, RELAY_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const child = new Child(forked);
    child.url = await child.ready(script);
    return child;
  }

  usage(): Promise<Usage> {
    return this.request('usage');
  }

  /** After a garbage collection. */
  settledUsage(): Promise<Usage> {
    return this.request('settled usage');
  }

  request<T>(request: string, input?: unknown): Promise<T> {
    const id = (this.lastId += 1);
    const reply = this.next<T>(id);
    this.process.send({ id, request, input });
    return reply;
  }

  /** The next event of this name. Call it before what causes the event. */
  next<T>(event: string | number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.pending.set(event, resolve as (value: unknown) => void);
      this.exited.then(
        () => reject(new Error(`exited before "${event}"`)),
        reject,
      );
    });
  }

  /** Killed, since nothing that it holds is needed any more. */
  async stop(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exited;
  }

  /** Later output is read and discarded: a full pipe would block the process. */
  private ready(script: string): Promise<string> {
    let output = '';
    return new Promise((resolve, reject) => {
      this.process.stdout!.on('data', (chunk: Buffer) => {
        if (output === '(ready)') return;
        output += chunk.toString();
        const match = READY.exec(output);
        if (!match) return;
        output = '(ready)';
        resolve(match[1] ?? '');
      });
      void this.exited.then(() =>
        reject(new Error(`${script} did not start:\n${output}`)),
      );
    });
  }
}
