import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../processes/free-port';
import { until } from '../until';

/** The reference server of the protocol, as a separate program. */
export const EVERYTHING = join(
  __dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

/** The same over HTTP. It can be killed and restarted on its port. */
export class HttpEverything {
  private child?: ChildProcess;

  private constructor(
    readonly port: number,
    private readonly transport: 'streamableHttp' | 'sse',
  ) {}

  static async start(
    transport: 'streamableHttp' | 'sse' = 'streamableHttp',
  ): Promise<HttpEverything> {
    const server = new HttpEverything(await freePort(), transport);
    await server.start();
    return server;
  }

  get url(): string {
    const path = this.transport === 'sse' ? 'sse' : 'mcp';
    return `http://127.0.0.1:${this.port}/${path}`;
  }

  async start(): Promise<void> {
    const env = { ...process.env, PORT: String(this.port) };
    this.child = spawn(process.execPath, [EVERYTHING, this.transport], {
      env,
      stdio: 'ignore',
    });
    await until('the server to reply', async () => {
      const reply = await fetch(this.url, { method: 'DELETE' }).catch(
        () => undefined,
      );
      return reply !== undefined;
    });
  }

  async kill(): Promise<void> {
    if (!this.child || this.child.exitCode !== null) return;
    if (this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}
