/**
 * ⏎ A program that violates the protocol, over its standard input and output. It runs as it is, so it must not import
 * anything of this project.
 */
import { createInterface } from 'node:readline';

interface ReceivedRequest {
  id?: number;
  method: string;
  params?: { name?: string; _meta?: { progressToken?: number } };
}

let lists = 0;
let announcing = false;

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function call({ name, _meta }: ReceivedRequest['params'] = {}):
  string | undefined {
  switch (name) {
    case 'die':
      process.exit(1);
      break;
    case 'hang':
      return undefined;
    case 'stand_still':
      // From here on it ignores even the end of its input.
      for (;;);
    case 'shout':
      return 'x'.repeat(10_000_000);
    case 'babble':
      process.stdout.write('no JSON\n{"jsonrpc":"1.0"}\n[]\n\n');
      process.stderr.write('secret-words\n');
      return 'Done';
    case 'announce':
      announcing = true;
      send({ method: 'notifications/tools/list_changed' });
      return 'Done';
    case 'flood':
      for (let progress = 1; progress <= 10_000; progress++) {
        const params = { ..._meta, progress };
        send({ method: 'notifications/progress', params });
      }
      return 'Done';
    case 'lists':
      return String(lists);
    default:
      return String(process.pid);
  }
}

function answer({ method, params }: ReceivedRequest): object | undefined {
  if (method === 'initialize') {
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'hostile', version: '1' },
    };
  }
  if (method === 'tools/list') {
    lists++;
    const changed = { method: 'notifications/tools/list_changed' };
    if (announcing) setImmediate(() => send(changed));
    const names = 'die hang stand_still shout babble announce flood lists pid';
    return {
      tools: names
        .split(' ')
        .map((name) => ({ name, inputSchema: { type: 'object' } })),
    };
  }
  if (method !== 'tools/call') return undefined;
  const text = call(params);
  return text === undefined ? undefined : { content: [{ type: 'text', text }] };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const asked = JSON.parse(line) as ReceivedRequest;
  if (asked.id === undefined) return;
  if (asked.method === 'server/discover') {
    const error = { code: -32601, message: 'Method not found' };
    return send({ id: asked.id, error });
  }
  const result = answer(asked);
  if (result) send({ id: asked.id, result });
});
