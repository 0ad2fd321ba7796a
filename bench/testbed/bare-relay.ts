import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';

/** The minimum between a caller and an upstream: bytes in, bytes out, nothing parsed. */
const upstream = `${process.env.LITELLM_BASE_URL}/v1/responses`;
const dispatcher = new Agent({ connections: 128 });
const headers = { 'content-type': 'application/json' };

const server = createServer((incoming, reply) => {
  const relay = async (): Promise<void> => {
    const body = await bytesOf(incoming);
    const answer = await request(upstream, {
      method: 'POST',
      headers,
      body,
      dispatcher,
    });
    const text = await answer.body.text();
    reply.writeHead(answer.statusCode, headers);
    reply.end(text);
  };
  relay().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`listening on http://127.0.0.1:${port}`);
});

function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () =>
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)),
    );
    incoming.on('error', reject);
  });
}
