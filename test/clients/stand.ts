import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Stand } from '../support/processes/stand';

/** The only API key of a stand with keys. */
const API_KEY = 'sk-stand';

/**
 * Runs a complete installation for clients of any language until standard input is closed. Prints its URLs as one
 * line of JSON. `control` stops and starts the API, always on the same port.
 */
async function main(): Promise<void> {
  const stand = await Stand.start({
    searchesSandbox: true,
    researchMs: Number(process.env.STAND_RESEARCH_MS ?? 200),
    env: {
      RELAY_AGENT_MODELS: 'writer:sandbox-plain',
      RELAY_TOOLS_DIR: join(__dirname, 'tools'),
      ...(process.env.STAND_API_KEYS === 'true' && keys()),
    },
  });
  const relay = stand.apis[0].url;
  const stopApi = async (): Promise<void> => {
    await Promise.all(stand.apis.splice(0).map((api) => api.stop('SIGKILL')));
  };
  const startApi = async (): Promise<void> => {
    if (stand.apis.length === 0)
      await stand.addApi({ RELAY_PORT: new URL(relay).port });
  };
  const control = await listen({
    '/stop-api': stopApi,
    '/start-api': startApi,
    '/restart': async () => {
      await stopApi();
      await startApi();
    },
  });
  const shutdown = (): void => void stand.stop().finally(() => process.exit());
  process.stdin.resume().once('close', shutdown);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, shutdown);
  const model = stand.sandbox.url;
  console.log(JSON.stringify({ relay, model, control }));
}

function keys(): Record<string, string> {
  const hash = createHash('sha256').update(API_KEY).digest('hex');
  return { RELAY_API_KEYS: `stand:${hash}` };
}

/** Handles POST requests one after the other and replies when the action is done. */
async function listen(
  actions: Record<string, () => Promise<void>>,
): Promise<string> {
  let turn: Promise<void> = Promise.resolve();
  const server = createServer((request, response) => {
    const action = actions[request.url ?? ''];
    if (request.method !== 'POST' || action === undefined)
      return end(response, 404, `no such action: ${request.url}`);
    turn = turn.then(action).then(
      () => end(response, 200, 'done'),
      (error: unknown) => end(response, 500, String(error)),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' });
  response.end(`${text}\n`);
}

void main();
