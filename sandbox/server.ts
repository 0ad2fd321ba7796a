import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { route } from './router';
import { SandboxState } from './state';

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: a free port. */
  port?: number;
  /** Duration of a plain model turn in ms; default 20. */
  turnMs?: number;
  /** Duration of a research run in ms; default 1500. */
  researchMs?: number;
  /** The setting `strict_items` at first; default false. */
  strictItems?: boolean;
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT`, without `/v1`. */
  readonly url: string;
  /** Ends open streams, timers and connections. */
  close(): Promise<void>;
}

/** An OpenAI-compatible upstream in this process that answers from a small bundled corpus. */
export async function startSandbox(
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0 } = options;
  const { turnMs, researchMs, strictItems } = options;
  const state = new SandboxState(turnMs, researchMs, strictItems);
  const server = createServer((req, res) => {
    void route(req, res, state);
  });
  // Longer than the idle timeout of any client, so that no request meets a closing connection.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  const { port: bound } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        state.reset();
      }),
  };
}
