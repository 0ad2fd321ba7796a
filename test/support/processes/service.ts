import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LIMIT_MS } from '../until';

/** Jest runs this file as it is, and the chaos suite as built. */
const DIST = join(
  __dirname,
  __filename.endsWith('.ts') ? '../../../dist/src/app' : '../../../src/app',
);
const READY = {
  main: /listening on (http:[^\s"]+)/,
  'all-in-one': /listening on (http:[^\s"]+)/,
  worker: /Sonde is (working)/,
};

/** One built process of the service, started as a user starts it. */
export class Service {
  output = '';
  url = '';
  private readonly exited: Promise<number | null>;
  private readonly lines = new EventEmitter();

  private constructor(private readonly process: ChildProcess) {
    // By whole lines: a chunk of one stream may end within a line, and the next be of the other.
    for (const stream of [process.stdout!, process.stderr!])
      createInterface(stream).on('line', (line) => {
        this.output += `${line}\n`;
        this.lines.emit('line');
      });
    // Once its output is complete too.
    this.exited = new Promise((resolve) => process.once('close', resolve));
  }

  /** `dist`: the folder of the built processes. */
  static async start(
    entry: keyof typeof READY,
    env: Record<string, string>,
    dist = DIST,
  ): Promise<Service> {
    const service = Service.spawn(entry, env, dist);
    service.url = await service.waitForOutput(READY[entry]);
    return service;
  }

  /** Starts a process without waiting for anything. */
  static spawn(
    entry: keyof typeof READY,
    env: Record<string, string>,
    dist = DIST,
  ): Service {
    const child = spawn(process.execPath, [join(dist, `${entry}.js`)], {
      env: {
        PATH: process.env.PATH,
        RELAY_PORT: '0',
        RELAY_ENV_FILE: 'none',
        // What a process that ended by itself has compiled, as script/test has one do; a killed one leaves nothing.
        NODE_COMPILE_CACHE: join(tmpdir(), 'sonde-compile-cache'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Service(child);
  }

  /** Waits until the output matches; returns the first group, or the match. */
  waitForOutput(pattern: RegExp, ms = LIMIT_MS): Promise<string> {
    return new Promise((resolve, reject) => {
      const end = (fault: string): void => {
        this.lines.off('line', look);
        clearTimeout(timer);
        reject(new Error(`${fault} without ${pattern}:\n${this.output}`));
      };
      const timer = setTimeout(() => end(`waited ${ms / 1_000} s`), ms);
      const look = (): void => {
        const match = pattern.exec(this.output);
        if (!match) return;
        this.lines.off('line', look);
        clearTimeout(timer);
        resolve(match[1] ?? match[0]);
      };
      this.lines.on('line', look);
      void this.exited.then((code) => end(`exited with ${code}`));
      look();
    });
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** Sends the signal and waits for the end. Returns the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal);
    return this.exited;
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  end(): Promise<number | null> {
    return this.exited;
  }
}
