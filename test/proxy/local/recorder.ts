import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request and what was replied; status 0 and an empty reply where the endpoint did not answer. */
export interface Exchange {
  path: string;
  // A test reads what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  status: number;
  reply: string;
}

/** Stands before an endpoint and keeps what passes. */
export class Recorder {
  readonly exchanges: Exchange[] = [];

  private constructor(private readonly server: Server) {}

  static async before(endpoint: string): Promise<Recorder> {
    const server = createServer();
    const recorder = new Recorder(server);
    server.on('request', (req, res) => {
      void text(req).then((sent) => {
        const exchange: Exchange = {
          path: req.url!,
          body: sent === '' ? null : JSON.parse(sent),
          status: 0,
          reply: '',
        };
        recorder.exchanges.push(exchange);
        const { method, headers } = req;
        const onward = request(new URL(req.url!, endpoint), {
          method,
          headers,
        });
        onward.on('error', () => res.destroy());
        res.on('close', () => onward.destroy());
        onward.on('response', (reply) => {
          exchange.status = reply.statusCode!;
          const { connection: _, ...own } = reply.headers;
          res.writeHead(exchange.status, own);
          reply.on('data', (chunk: Buffer) => {
            exchange.reply += String(chunk);
          });
          reply.pipe(res);
        });
        onward.end(sent);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return recorder;
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Requests for an answer that were refused. */
  get refused(): Exchange[] {
    return this.exchanges.filter(
      ({ body, status }) => body !== null && status >= 400,
    );
  }

  forget(): void {
    this.exchanges.length = 0;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
