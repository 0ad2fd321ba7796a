import { connect } from 'node:net';
import { now } from './measure';
import { answer, tell } from './probe';

/** Many followers of one event stream, as cheap as they can be: sockets that look for a word. */
interface Following {
  url: string;
  path: string;
  headers: Record<string, string>;
  count: number;
}

let expected: { word: string; first: number; left: number } | undefined;

answer('follow', async ({ url, path, headers, count }: Following) => {
  const { hostname, port } = new URL(url);
  const lines = Object.entries({ host: hostname, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  // A few at a time: the queue of a listening socket is short.
  for (let left = count; left > 0; left -= 50)
    await Promise.all(
      Array.from({ length: Math.min(50, left) }, () =>
        follow(hostname, Number(port), `GET ${path} HTTP/1.1\r\n${head}\r\n`),
      ),
    );
});
answer('expect', (word: string) => {
  expected = { word, first: 0, left: sockets };
});
// Until it follows something, nothing else keeps it.
process.channel?.ref();
console.log('follower is ready');

let sockets = 0;

/** Resolves with the first bytes that come back. */
function follow(host: string, port: number, request: string): Promise<void> {
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
  tell('all', { first: expected!.first, last: now() });
  expected = undefined;
}
