import { connect } from 'node:net';
import { now } from '../measure';
import { handle, report } from './probe';

/** Many subscribers of one event stream, as cheap as possible: sockets that search for a word. */
interface Subscription {
  url: string;
  path: string;
  headers: Record<string, string>;
  count: number;
}

let expected: { word: string; first: number; left: number } | undefined;

handle('subscribe', async ({ url, path, headers, count }: Subscription) => {
  const { hostname, port } = new URL(url);
  const lines = Object.entries({ host: hostname, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  // In small groups: the accept queue of a listening socket is short.
  for (let left = count; left > 0; left -= 50)
    await Promise.all(
      Array.from({ length: Math.min(50, left) }, () =>
        subscribe(
          hostname,
          Number(port),
          `GET ${path} HTTP/1.1\r\n${head}\r\n`,
        ),
      ),
    );
});
handle('expect', (word: string) => {
  expected = { word, first: 0, left: sockets };
});
// Keeps the process alive until it subscribes.
process.channel?.ref();
console.log('follower is ready');

let sockets = 0;

/** Resolves with the first bytes of the response. */
function subscribe(host: string, port: number, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(request));
    sockets += 1;
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      resolve();
      if (expected && chunk.includes(expected.word)) arrived();
    });
  });
}

function arrived(): void {
  const { first, left } = expected!;
  expected!.first = first || now();
  expected!.left = left - 1;
  if (left > 1) return;
  report('all', { first: expected!.first, last: now() });
  expected = undefined;
}
