import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from './probe';

/** The least that can stand behind an event stream: whatever is to be said is written to everyone at once. */
const followers = new Set<ServerResponse>();
let id = 0;

const server = createServer((_, reply) => {
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  reply.flushHeaders();
  reply.socket?.setNoDelay(true);
  followers.add(reply);
});

answer('say', (text: string) => {
  const data = {
    invocation_id: 'inv_0192f0a0b0c0d0e0f000000000000000',
    type: 'output_text',
    status: 'running',
    data: { text },
  };
  const frame = `id: ${(id += 1)}\nevent: output_text\ndata: ${JSON.stringify(data)}\n\n`;
  for (const follower of followers) follower.write(frame);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`listening on http://127.0.0.1:${port}`);
});
