import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * ⏎ A server in front of an endpoint that closes every connection after its first reply, but so late that a second request
 * is already on its way: it is reset, and never reaches the endpoint.
 */
export class ClosingProxy {
  /** Requests that were reset. */
  reset = 0;

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async to(endpoint: string): Promise<ClosingProxy> {
    const used = new WeakSet<Socket>();
    const server = createServer((req: IncomingMessage, res) => {
      if (used.has(req.socket)) {
        proxy.reset += 1;
        req.socket.resetAndDestroy();
        return;
      }
      used.add(req.socket);
      const { method, headers } = req;
      const onward = request(new URL(req.url!, endpoint), { method, headers });
      onward.on('error', () => res.destroy());
      onward.on('response', (reply) => {
        const { connection: _, ...own } = reply.headers;
        res.writeHead(reply.statusCode!, own);
        reply.pipe(res);
      });
      req.pipe(onward);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const proxy = new ClosingProxy(`http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return proxy;
  }
}
