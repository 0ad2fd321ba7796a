import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { now } from './measure';
import { answer, tell } from './probe';

/**
 * An upstream that costs as little as it can: it reads nothing of what it is sent. Every run ends at once, or with
 * `HOLD=1` never: then runs go on whenever they are asked for, and `say` writes into those that are held as streams.
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
const GOES_ON = Buffer.from(
  JSON.stringify({ ...JSON.parse(REPLY.toString()), status: 'in_progress' }),
);
const MODELS = Buffer.from('{"object":"list","data":[]}');
const hold = process.env.HOLD === '1';
const held = new Set<ServerResponse>();
let numbered = 0;

const server = createServer((incoming, reply) => {
  const isRun = incoming.method === 'POST';
  if (isRun) tell('create', now());
  incoming.resume();
  incoming.on('end', () => {
    if (isRun && hold) holdOpen(reply);
    else {
      reply.writeHead(200, { 'content-type': 'application/json' });
      const isModels = incoming.url!.endsWith('/models');
      reply.end(isRun ? REPLY : isModels ? MODELS : GOES_ON);
    }
  });
});

answer('begun', () => numbered);
answer('say', (text: string) => {
  const delta = {
    type: 'response.output_text.delta',
    item_id: 'msg_held',
    content_index: 0,
    delta: text,
  };
  for (const reply of held) reply.write(frame(delta));
});
answer('let go', () => {
  for (const reply of held) reply.destroy();
});

server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', 4096, () => {
  const { port } = server.address() as AddressInfo;
  console.log(`listening on http://127.0.0.1:${port}`);
});

function holdOpen(reply: ServerResponse): void {
  held.add(reply);
  reply.on('close', () => held.delete(reply));
  const id = `resp_held_${(numbered += 1)}`;
  const response = { id, object: 'response', status: 'in_progress' };
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  reply.write(frame({ type: 'response.created', response }));
}

function frame(event: { type: string; [field: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
