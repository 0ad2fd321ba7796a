import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../until';

/** Minutes of a busy machine, and less than the hooks that start a server have, so that a test shows its last words. */
const START_MS = 8 * 60_000;
const LAST_WORDS = 4_000;

/** A server of others, in a process of its own. */
export class ForeignServer {
  private output = '';

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => {
        this.output = (this.output + String(chunk)).slice(-LAST_WORDS);
      });
  }

  /**
   * Returns once the server answers.
   * @param command with its arguments.
   * @param health a URL that the server answers with 2xx; its origin becomes `url`.
   * @throws Error with the server's last words, if it ends or never answers.
   */
  static async start(
    command: readonly string[],
    health: string,
    env = process.env,
  ): Promise<ForeignServer> {
    const [program, ...args] = command;
    const child = spawn(program, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const server = new ForeignServer(new URL(health).origin, child);
    try {
      await once(child, 'spawn');
      await server.answers(health);
    } catch (error) {
      await server.stop();
      throw new Error(`${String(error)}\n${server.output}`, { cause: error });
    }
    return server;
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (!child.kill(signal)) return;
    await once(child, 'exit');
  }

  private answers(health: string): Promise<true> {
    return until(
      `${this.child.spawnfile} to answer`,
      async () => {
        if (this.child.exitCode !== null)
          throw new Error(`exited with ${this.child.exitCode}`);
        const reply = await fetch(health).catch(() => undefined);
        return reply?.ok === true;
      },
      START_MS,
    );
  }
}
