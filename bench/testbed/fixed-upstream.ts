import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { now } from '../measure';
import { handle, report } from './probe';

/**
 * An upstream that costs as little as possible: it ignores what it receives. Every run completes at once, or with
 * `HOLD=1` never: then polls report runs as in progress, and `broadcast` writes into all open streams.
 */
const REPLY = Buffer.from(
  JSON.stringify({
    id: 'resp_fixed',
    object: 'response',
    created_at: 0,
    status: 'completed',
    model: 'fixed',
    output: [
      {
        id: 'msg_fixed',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [
          {
            type: 'output_text',
            text: 'Good morning. What would you like to know?',
            annotations: [],
          },
        ],
      },
    ],
    usage: { input_tokens: 12, output_tokens: 10, total_tokens: 22 },
  }),
);
const IN_PROGRESS = Buffer.from(
  JSON.stringify({ ...JSON.parse(REPLY.toString()), status: 'in_progress' }),
);
const MODELS = Buffer.from('{"object":"list","data":[]}');
const hold = process.env.HOLD === '1';
const streams = new Set<ServerResponse>();
let started = 0;

const server = createServer((incoming, reply) => {
  const isRun = incoming.method === 'POST';
  if (isRun) report('create', now());
  incoming.resume();
  incoming.on('end', () => {
    if (isRun && hold) holdOpen(reply);
    else {
      reply.writeHead(200, { 'content-type': 'application/json' });
      const isModels = incoming.url!.endsWith('/models');
      reply.end(isRun ? REPLY : isModels ? MODELS : IN_PROGRESS);
    }
  });
});

handle('started', () => started);
handle('broadcast', (text: string) => {
  const delta = {
    type: 'response.output_text.delta',
    item_id: 'msg_open',
    content_index: 0,
    delta: text,
  };
  for (const reply of streams) reply.write(frame(delta));
});
handle('disconnect', () => {
  for (const reply of streams) reply.destroy();
});

server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', 4096, () => {
  const { port } = server.address() as AddressInfo;
  console.log(`listening on http://127.0.0.1:${port}`);
});

function holdOpen(reply: ServerResponse): void {
  streams.add(reply);
  reply.on('close', () => streams.delete(reply));
  const id = `resp_open_${(started += 1)}`;
  const response = { id, object: 'response', status: 'in_progress' };
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  reply.write(frame({ type: 'response.created', response }));
}

function frame(event: { type: string; [field: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
