import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { endpoint, McpStand } from '../../../../test/support/mcp/mcp-stand';
import { until } from '../../../../test/support/until';
import { MAX_MESSAGE_BYTES } from './message-limit';

interface Asked {
  id?: number;
  method: string;
  params?: { name?: string };
}

const RESULTS: Record<string, object> = {
  initialize: {
    protocolVersion: '2024-11-05',
    capabilities: { tools: {} },
    serverInfo: { name: 'older', version: '1' },
  },
  'tools/list': {
    tools: ['good', 'shout', 'end'].map((name) => ({
      name,
      inputSchema: { type: 'object' },
    })),
  },
  'tools/call': { content: [{ type: 'text', text: 'Done' }] },
};

describe('a server of 2024-11-05', () => {
  const seen: string[] = [];
  const streams: ServerResponse[] = [];
  /** What it answers to a POST at the place of its stream. */
  let status = 405;
  let where = '/messages?session=1';
  let silent = false;
  const server = createServer((request, reply) => {
    const { method = '', url = '', headers } = request;
    seen.push(`${method} ${url} ${String(headers['x-key'])}`);
    if (method === 'GET') {
      reply.writeHead(200, { 'content-type': 'text/event-stream' });
      reply.write(
        silent ? ': wait\n\n' : `event: endpoint\ndata: ${where}\n\n`,
      );
      return void streams.push(reply);
    }
    if (url === '/sse') return void reply.writeHead(status).end();
    void json(request).then((asked) => {
      reply.writeHead(202).end();
      const { id, method: called, params } = asked as Asked;
      if (id === undefined) return;
      const stream = streams.at(-1)!;
      if (params?.name === 'end') return void stream.end();
      const text = 'x'.repeat(
        params?.name === 'shout' ? 2 * MAX_MESSAGE_BYTES : 1,
      );
      const result = { ...RESULTS[called], padding: text };
      stream.write(
        `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`,
      );
    });
  });
  const start = (more: object = {}) => {
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/sse`;
    return McpStand.start(
      endpoint(url, {
        headers: { 'x-key': 'k' },
        ...more,
      }),
    );
  };

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    seen.length = 0;
    streams.length = 0;
    [status, where, silent] = [405, '/messages?session=1', false];
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it.each([400, 404, 405])(
    'is detected by its status %i to a POST, and gets the configured headers',
    async (answer) => {
      status = answer;
      const stand = await start();
      expect(await stand.run('here__good')).toEqual([
        { type: 'text', text: 'Done' },
      ]);
      await stand.close();
      expect(seen[0]).toBe('POST /sse k');
      expect(seen).toContain('GET /sse k');
      expect(seen.at(-1)).toBe('POST /messages?session=1 k');
    },
  );

  it('gets no POST first where it is configured as such', async () => {
    const stand = await start({ sse: true });
    expect(stand.names).toContain('here__good');
    expect(seen[0]).toBe('GET /sse k');
    await stand.close();
  });

  it.each([401, 403, 500])('is not detected by a %i', async (answer) => {
    status = answer;
    const stand = await start();
    expect(stand.names).toEqual([]);
    await stand.close();
    expect(seen.filter((one) => one.startsWith('GET'))).toEqual([]);
  });

  it('never gets messages at another origin', async () => {
    where = 'http://localhost:1/messages';
    const stand = await start();
    expect(stand.names).toEqual([]);
    await stand.close();
  });

  it('fails when it sends no endpoint in time', async () => {
    silent = true;
    const stand = await start({ connectTimeoutMs: 300 });
    expect(stand.names).toEqual([]);
    await until('the stream to be closed', () =>
      streams.some(({ closed }) => closed),
    );
    await stand.close();
  });

  it('closes its connection with a message that is too large, and serves the next call', async () => {
    const stand = await start();
    expect(await stand.run('here__shout')).toMatchObject({
      code: 'RESULT_TOO_LARGE',
    });
    expect(stand.lines).toContain('connection lost (MESSAGE_TOO_LARGE)');
    expect(await stand.run('here__good')).toEqual([
      { type: 'text', text: 'Done' },
    ]);
    await stand.close();
  });

  it('is reconnected when its stream ends, without repeating the call in progress', async () => {
    const stand = await start();
    expect(await stand.run('here__end')).toMatchObject({
      code: 'TOOL_INTERRUPTED',
    });
    expect(await stand.run('here__good')).toEqual([
      { type: 'text', text: 'Done' },
    ]);
    expect(streams).toHaveLength(2);
    await stand.close();
  });
});
