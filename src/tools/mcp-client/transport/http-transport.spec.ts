import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { endpoint } from '../../../../test/support/mcp/mcp-stand';
import { until } from '../../../../test/support/until';
import type { McpEndpoint } from '../../../config/files/mcp-file';
import { HttpTransport } from './http-transport';

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

describe(HttpTransport.name, () => {
  const seen: string[] = [];
  const open = new Map<string, ServerResponse>();
  let transport: HttpTransport;
  let received: JSONRPCMessage[];

  /** As up to 2025-11-25: with a session, and a stream for every call, which is never ended. */
  const server = createServer((request, reply) => {
    const { method, headers } = request;
    seen.push(`${method} ${String(headers['mcp-session-id'])}`);
    if (method !== 'POST') return void reply.end();
    void json(request).then((asked) => {
      const { id, method: name } = asked as { id?: string; method: string };
      if (id === undefined) return void reply.writeHead(202).end();
      reply.setHeader('content-type', 'text/event-stream');
      if (name === 'initialize') reply.setHeader('mcp-session-id', 'abc');
      // A timer that is set to so much fires at once.
      if (name === 'lose')
        return void reply.end('retry: 9999999999\nid: 1\ndata:\n\n');
      reply.write(': open\n\n');
      open.set(id, reply);
      reply.on('close', () => open.delete(id));
    });
  });

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  beforeEach(async () => {
    const { port } = server.address() as AddressInfo;
    transport = new HttpTransport(
      endpoint(`http://127.0.0.1:${port}`) as McpEndpoint,
    );
    received = [];
    transport.onmessage = (message) => void received.push(message);
    await transport.start();
  });

  afterEach(() => transport.close());

  afterAll(async () => {
    server.close();
    await once(server, 'close');
  });

  const ask = (id: string, method = 'tools/call', params = {}) =>
    transport.send({ jsonrpc: '2.0', id, method, params });

  const answerOf = (id: string) =>
    `data: {"jsonrpc":"2.0","id":"${id}","result":{}}\n\n`;

  it('closes the stream of a cancelled call, and no other', async () => {
    await Promise.all([ask('a'), ask('b')]);
    await until(
      'both calls to reach the server',
      (saw) => saw(open.size) === 2,
    );
    const method = 'notifications/cancelled';
    await transport.send({
      jsonrpc: '2.0',
      method,
      params: { requestId: 'a' },
    });
    await until(
      'the stream of the cancelled call to be closed',
      () => !open.has('a'),
    );
    open.get('b')!.end(answerOf('b'));
    await until('a message to be received', () => received.length > 0);
    expect(received).toEqual([{ jsonrpc: '2.0', id: 'b', result: {} }]);
  });

  it('fails a call whose stream ends without a response, and no other', async () => {
    await Promise.all([ask('c'), ask('d')]);
    await until(
      'both calls to reach the server',
      (saw) => saw(open.size) === 2,
    );
    open.get('c')!.end(answerOf('c'));
    open.get('d')!.end();
    await until(
      'both answers to be received',
      (saw) => saw(received).length === 2,
    );
    expect(received).toContainEqual({ jsonrpc: '2.0', id: 'c', result: {} });
    expect(received).toContainEqual(
      expect.objectContaining({ id: 'd', error: expect.anything() }),
    );
  });

  it('limits the reconnect delay that a server requests', async () => {
    await ask('l', 'lose');
    for (const id of ['m', 'n', 'o']) {
      await ask(id);
      await until(`the call ${id} to reach the server`, () => open.has(id));
      open.get(id)!.end(answerOf(id));
    }
    await until(
      'all three answers to be received',
      (saw) => saw(received).length === 3,
    );
    expect(seen.filter((line) => line.startsWith('GET'))).toEqual([]);
  });

  it('ends its session at the server', async () => {
    await ask('e', 'initialize', INITIALIZE);
    await transport.endSession();
    expect(seen).toContain('DELETE abc');
  });
});
