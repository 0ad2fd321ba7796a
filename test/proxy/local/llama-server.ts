import { join } from 'node:path';
import { ForeignServer } from '../../support/processes/foreign-server';
import { freePort } from '../../support/processes/free-port';
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

/** llama.cpp's own server with a real model of 135 million parameters: its protocol is what counts, its answers are poor. */
export async function startLlamaServer(
  options: LlamaOptions = {},
): Promise<ForeignServer> {
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
  return ForeignServer.start(
    [join(programs, 'python'), join(__dirname, 'serve.py'), ...args],
    `http://127.0.0.1:${port}/health`,
  );
}
