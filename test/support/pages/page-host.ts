import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (request: IncomingMessage, reply: ServerResponse) => void;

/** A web server on loopback with the pages that a test puts on it; 404 for all others. */
export class PageHost {
  private readonly pages = new Map<string, Handler>();
  readonly requests: string[] = [];
  atOnce = 0;
  mostAtOnce = 0;
  private readonly server = createServer((request, reply) => {
    const path = request.url ?? '';
    this.requests.push(path);
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    reply.on('close', () => (this.atOnce -= 1));
    const handler = this.pages.get(path);
    if (handler) handler(request, reply);
    else reply.writeHead(404).end();
  });

  static async start(): Promise<PageHost> {
    const host = new PageHost();
    host.server.listen(0, '127.0.0.1');
    await once(host.server, 'listening');
    return host;
  }

  get origin(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Returns the URL of the page. */
  on(path: string, handler: Handler): string {
    this.pages.set(path, handler);
    return this.origin + path;
  }

  page(
    path: string,
    body: string | Uint8Array,
    type = 'text/html; charset=utf-8',
    headers: Record<string, string | string[]> = {},
  ): string {
    return this.on(path, (_, reply) =>
      reply.writeHead(200, { 'content-type': type, ...headers }).end(body),
    );
  }

  redirect(path: string, location: string): string {
    return this.on(path, (_, reply) =>
      reply.writeHead(302, { location }).end(),
    );
  }

  /** How often the path was requested. */
  count(path: string): number {
    return this.requests.filter((one) => one === path).length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
