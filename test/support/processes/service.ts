import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

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

  private constructor(private readonly process: ChildProcess) {
    const keep = (chunk: Buffer): void =>
      void (this.output += chunk.toString());
    process.stdout!.on('data', keep);
    process.stderr!.on('data', keep);
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
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Service(child);
  }

  /** Waits until the output matches; returns the first group, or the match. */
  waitForOutput(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(this.output);
        if (!match) return;
        this.process.stdout!.off('data', look);
        this.process.stderr!.off('data', look);
        resolve(match[1] ?? match[0]);
      };
      this.process.stdout!.on('data', look);
      this.process.stderr!.on('data', look);
      void this.exited.then((code) =>
        reject(new Error(`exited with ${code}:\n${this.output}`)),
      );
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
