import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Front {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * ⏎ A server in front of an endpoint.
 * @param pathOf where a request is passed on to; undefined: nowhere, its connection is reset.
 */
export async function frontOf(
  endpoint: string,
  pathOf: (request: IncomingMessage) => string | undefined,
): Promise<Front> {
  const server = createServer((req, res) => {
    const path = pathOf(req);
    if (path === undefined) {
      req.socket.resetAndDestroy();
      return;
    }
    const { method, headers } = req;
    const onward = request(new URL(path, endpoint), { method, headers });
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
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * ⏎ Closes every connection after its first reply, but so late that a second request is already on its way: it is reset, and
 * never reaches the endpoint.
 */
export async function closingFrontOf(
  endpoint: string,
): Promise<Front & { readonly reset: number }> {
  const used = new WeakSet<Socket>();
  let reset = 0;
  const front = await frontOf(endpoint, ({ socket, url }) => {
    if (!used.has(socket)) {
      used.add(socket);
      return url;
    }
    reset += 1;
    return undefined;
  });
  return {
    ...front,
    get reset() {
      return reset;
    },
  };
}
