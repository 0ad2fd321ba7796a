import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Usage } from './probe';

const READY = /listening on (http:[^\s"]+)|is (?:working|ready)/;

interface Message {
  id?: number;
  news?: string;
  value: unknown;
}

/** A built process that is measured, with the probe in it. */
export class Child {
  url = '';
  private asked = 0;
  private readonly waiting = new Map<
    number | string,
    (value: unknown) => void
  >();
  private readonly exited: Promise<void>;

  private constructor(private readonly process: ChildProcess) {
    this.exited = new Promise((resolve) => {
      process.once('exit', () => resolve());
    });
    process.on('message', ({ id, news, value }: Message) => {
      const key = id ?? news!;
      this.waiting.get(key)?.(value);
      this.waiting.delete(key);
    });
  }

  /** @param script below `dist`, e.g. `src/app/main`. */
  static async start(
    script: string,
    env: Record<string, string> = {},
  ): Promise<Child> {
    const forked = fork(join(__dirname, '..', `${script}.js`), {
      execArgv: ['--expose-gc', '--require', join(__dirname, 'probe.js')],
      // Nothing else of the caller's environment: its REDIS_URL is not ours.
      env: { PATH: process.env.PATH, RELAY_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const child = new Child(forked);
    child.url = await child.ready(script);
    return child;
  }

  usage(): Promise<Usage> {
    return this.ask('usage');
  }

  /** After a collection of garbage. */
  settledUsage(): Promise<Usage> {
    return this.ask('settled usage');
  }

  ask<T>(question: string, input?: unknown): Promise<T> {
    const id = (this.asked += 1);
    const answered = this.hears<T>(id);
    this.process.send({ id, question, input });
    return answered;
  }

  /** The next news of this name. Call it before what causes them. */
  hears<T>(news: string | number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(news, resolve as (value: unknown) => void);
      this.exited.then(
        () => reject(new Error(`ended before "${news}"`)),
        reject,
      );
    });
  }

  /** Nothing that it holds is worth the time of a farewell. */
  async stop(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exited;
  }

  /** What is printed later is read and dropped: a full pipe would stop the process. */
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
