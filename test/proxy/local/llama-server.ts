import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../support/redis/redis-fleet';
import { until } from '../../support/until';
import { installPython } from '../python';

export interface LlamaOptions {
  /** Of one slot. */
  contextTokens?: number;
  slots?: number;
  /** Where a request names no limit. */
  answerTokens?: number;
  /** No answer ends by itself, or by a limit of the server. */
  endless?: boolean;
  /** A free one unless it is known already. */
  port?: number;
}

const LAST_WORDS = 4_000;

/** llama.cpp's own server with a real model of 135 million parameters: its protocol is what counts, its answers are poor. */
export class LlamaServer {
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

  static async start(options: LlamaOptions = {}): Promise<LlamaServer> {
    const { contextTokens = 8_192, slots = 1, answerTokens = 48 } = options;
    // Of its packages only what serves: one of them names a program that would have to be compiled.
    const programs = await installPython(
      'llama',
      join(__dirname, 'requirements.txt'),
      '--no-deps',
    );
    const port = options.port ?? (await freePort());
    const answer = options.endless ? -1 : answerTokens;
    const args = [port, contextTokens * slots, slots, answer].map(String);
    const child = spawn(
      join(programs, 'python'),
      [join(__dirname, 'serve.py'), ...args],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const server = new LlamaServer(`http://127.0.0.1:${port}`, child);
    await until('llama.cpp to be healthy', async () => {
      if (child.exitCode !== null) throw new Error(server.output);
      const reply = await fetch(`${server.url}/health`).catch(() => undefined);
      return reply?.ok === true;
    });
    return server;
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}
