import { createServer } from 'node:net';

/** Below the ports that systems give out by themselves: nothing takes one between its choice and its use. */
const FIRST = 10_100;
/** Of each process that runs tests, so that no two of them choose the same. */
const EACH = 100;
const PROCESSES = 220;

let chosen = 0;

/** A free port, for a server that begins to listen later, or again. */
export async function freePort(): Promise<number> {
  const first = FIRST + (process.pid % PROCESSES) * EACH;
  for (;;) {
    const port = first + (chosen++ % EACH);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
