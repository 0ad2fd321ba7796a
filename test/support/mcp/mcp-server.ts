import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

type Handler = ReturnType<typeof createMcpHandler>;

/** A server of the protocol's revision 2026-07-28 alone. It can be stopped and restarted on its port. */
export class ModernServer {
  /** The calls that reached the tool `wait`. */
  readonly waiting = new Set<string>();
  readonly cancelled = new Set<string>();
  /** Names of further tools that return their name. */
  extra: string[] = [];
  /** Further destructive tools, and the calls they received. */
  destructive: string[] = [];
  readonly destroyed: string[] = [];
  private port = 0;
  private handler?: Handler;
  private http?: Server;

  static async start(): Promise<ModernServer> {
    const server = new ModernServer();
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  async start(): Promise<void> {
    const handler = createMcpHandler(() => this.build(), { legacy: 'reject' });
    const answer = toNodeHandler(handler);
    this.handler = handler;
    this.http = createServer((request, reply) => void answer(request, reply));
    this.http.listen(this.port, '127.0.0.1');
    await once(this.http, 'listening');
    this.port = (this.http.address() as AddressInfo).port;
  }

  /** Immediately, also during requests. */
  async stop(): Promise<void> {
    const { http, handler } = this;
    if (!http?.listening) return;
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
    await handler?.close();
  }

  /** Notifies every subscriber that the tools have changed. */
  announce(): void {
    this.handler?.notify.toolsChanged();
  }

  /** Created for every request. */
  private build(): McpServer {
    const server = new McpServer(
      { name: 'modern', version: '1' },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.registerTool(
      'add',
      {
        description: 'Adds.',
        inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
        outputSchema: z.object({ sum: z.number() }),
        annotations: { idempotentHint: true },
      },
      ({ a, b }) => ({
        content: [{ type: 'text', text: JSON.stringify({ sum: a + b }) }],
        structuredContent: { sum: a + b },
      }),
    );
    server.registerTool(
      'wait',
      {
        description: 'Reports progress, and waits to be cancelled.',
        inputSchema: z.object({ id: z.string(), progress: z.boolean() }),
      },
      async ({ id, progress }, { mcpReq }) => {
        this.waiting.add(id);
        const progressToken = mcpReq._meta?.progressToken;
        if (progress && progressToken !== undefined) {
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress: 0.5, message: 'Half of it' },
          });
        }
        if (!mcpReq.signal.aborted) await once(mcpReq.signal, 'abort');
        this.cancelled.add(id);
        return { content: [] };
      },
    );
    for (const name of this.extra) {
      server.registerTool(name, { description: name }, () => ({
        content: [{ type: 'text', text: name }],
      }));
    }
    for (const name of this.destructive) {
      const annotations = { destructiveHint: true };
      server.registerTool(name, { description: name, annotations }, () => {
        this.destroyed.push(name);
        return { content: [{ type: 'text', text: name }] };
      });
    }
    return server;
  }
}
