import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handle } from './probe';

/** The minimum behind an event stream: every event is written to all subscribers at once. */
const subscribers = new Set<ServerResponse>();
let id = 0;

const server = createServer((_, reply) => {
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  reply.flushHeaders();
  reply.socket?.setNoDelay(true);
  subscribers.add(reply);
});

handle('broadcast', (text: string) => {
  const data = {
    invocation_id: 'inv_0192f0a0b0c0d0e0f000000000000000',
    type: 'output_text',
    status: 'running',
    data: { text },
  };
  const frame = `id: ${(id += 1)}\nevent: output_text\ndata: ${JSON.stringify(data)}\n\n`;
  for (const subscriber of subscribers) subscriber.write(frame);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`listening on http://127.0.0.1:${port}`);
});
