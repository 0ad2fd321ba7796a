import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

interface ReceivedRequest {
  id?: number | string;
  method: string;
  params?: {
    name?: string;
    cursor?: string;
    _meta?: { progressToken?: number | string };
  };
}

const SECRET = 'secret-words';
const BIG = 'x'.repeat(10_000_000);

/** A server of revision 2026-07-28, or 2025-11-25 with sessions, that violates the protocol as configured. */
export class HostileServer {
  /** The tools it lists, one page each. */
  pages: unknown[][] = [[]];
  /** If set, it speaks 2025-11-25, and this is the only valid session. */
  session?: string;
  /** Responds to everything with 503, and counts the requests. */
  refusing = false;
  refused = 0;
  /** The tools that were called. */
  readonly called: string[] = [];
  private readonly http = createServer((request, reply) => {
    if (request.method !== 'POST') return void reply.writeHead(405).end();
    if (this.refusing) {
      this.refused++;
      return void reply.writeHead(503).end();
    }
    const session = request.headers['mcp-session-id'];
    void json(request).then((asked) => {
      const unknown = session !== undefined && session !== this.session;
      if (unknown) return void reply.writeHead(404).end(SECRET);
      return this.answer(asked as ReceivedRequest, reply);
    });
  });

  static async start(...pages: unknown[][]): Promise<HostileServer> {
    const server = new HostileServer();
    server.pages = pages;
    server.http.listen(0, '127.0.0.1');
    await once(server.http, 'listening');
    return server;
  }

  get url(): string {
    const { port } = this.http.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${SECRET}`;
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    this.http.close();
    await once(this.http, 'close');
  }

  private async answer(
    asked: ReceivedRequest,
    reply: ServerResponse,
  ): Promise<void> {
    const { id, method, params } = asked;
    const send = (message: object): void => {
      reply.setHeader('content-type', 'application/json');
      reply.end(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
    };
    const complete = (result: object): void =>
      send({ result: { resultType: 'complete', ...result } });
    if (id === undefined) return void reply.writeHead(202).end();
    if (method === 'initialize') {
      reply.setHeader('mcp-session-id', this.session!);
      return complete({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'hostile', version: '1' },
      });
    }
    if (method === 'server/discover') {
      if (this.session !== undefined) return void reply.writeHead(400).end();
      return complete({
        ttlMs: 0,
        cacheScope: 'private',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
      });
    }
    if (method === 'tools/list') {
      const page = Number(params?.cursor ?? 0);
      const more = page + 1 < this.pages.length;
      return complete({
        tools: this.pages[page],
        ...(more && { nextCursor: String(page + 1) }),
      });
    }
    const content = [{ type: 'text', text: 'Done' }];
    this.called.push(params!.name!);
    switch (params!.name) {
      case 'hang':
        return;
      case 'refuse':
        return send({ error: { code: -32602, message: SECRET } });
      case 'break':
        return void reply.writeHead(503).end(SECRET);
      case 'task':
        return send({
          result: { resultType: 'task', taskId: '1', status: 'working' },
        });
      case 'ask':
        return send({
          result: { resultType: 'input_required', requestState: 'a' },
        });
      case 'lie':
        return complete({ content, structuredContent: { sum: SECRET } });
      case 'forget':
        return complete({ content });
      case 'babble':
        return complete({ content: SECRET });
      case 'big':
        return complete({ content: [{ type: 'text', text: BIG }] });
      case 'fail':
        return complete({
          content: [{ type: 'text', text: BIG.slice(0, 1e5) }],
          isError: true,
        });
      case 'stream':
        return this.stream(asked, reply);
      case 'end':
        reply.writeHead(200, { 'content-type': 'text/event-stream' });
        return void reply.end(': nothing\n\n');
      case 'die':
        reply.writeHead(200, { 'content-type': 'text/event-stream' });
        reply.write(': nothing\n\n');
        return void setImmediate(() => reply.destroy());
      case 'shout':
        reply.writeHead(200, { 'content-type': 'text/event-stream' });
        return void reply.end(`data: ${BIG}\n\n`);
      default:
        return complete({ content });
    }
  }

  /** Far more than the limit of one message, for longer than a call may be silent. */
  private async stream(
    asked: ReceivedRequest,
    reply: ServerResponse,
  ): Promise<void> {
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    const progressToken = asked.params?._meta?.progressToken;
    const send = (message: object): void => {
      const data = JSON.stringify({ jsonrpc: '2.0', ...message });
      reply.write(`data: ${data}\n\n`);
    };
    for (let progress = 1; progress <= 25; progress++) {
      const params = { progressToken, progress, message: BIG.slice(0, 5e5) };
      send({ method: 'notifications/progress', params });
      await sleep(100);
    }
    const content = [{ type: 'text', text: 'Done' }];
    send({ id: asked.id, result: { resultType: 'complete', content } });
    reply.end();
  }
}
