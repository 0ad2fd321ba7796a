import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Reply {
  status?: number;
  headers?: OutgoingHttpHeaders;
  /** Text as it is, anything else as JSON. */
  body?: unknown;
}

interface Request {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A search provider on loopback: records every request, and replies as a test asks. */
export class SearchServer {
  readonly requests: Request[] = [];
  /** `never`: the request is accepted and not answered; `endless`: neither is the end of its body. */
  reply: (request: Request) => Reply | 'never' | 'endless' = () => ({});
  private readonly server = createServer((incoming, outgoing) => {
    void text(incoming).then((body) => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url: new URL(url, this.url), headers, body };
      this.requests.push(request);
      const reply = this.reply(request);
      if (reply === 'never') return;
      if (reply === 'endless') return void outgoing.writeHead(200).write('{');
      const json = typeof reply.body !== 'string';
      outgoing
        .writeHead(reply.status ?? 200, {
          'content-type': json ? 'application/json' : 'text/html',
          ...reply.headers,
        })
        .end(json ? JSON.stringify(reply.body ?? {}) : reply.body);
    });
  });

  static async start(): Promise<SearchServer> {
    const server = new SearchServer();
    server.server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    return server;
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** The request before which no other one came. */
  get only(): Request {
    expect(this.requests).toHaveLength(1);
    return this.requests[0];
  }

  answer(reply: Reply | 'never' | 'endless'): void {
    this.requests.length = 0;
    this.reply = () => reply;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
