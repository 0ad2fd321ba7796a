import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FixedReply {
  status: number;
  type?: string;
  body: string;
}

/** An endpoint with one response to every request, or one per path, that counts its requests. */
export async function fixedEndpoint(reply: (path: string) => FixedReply) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    asked.push(`${request.method} ${request.url}`);
    const { status, type = 'application/json', body } = reply(request.url!);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const PAGE =
  '<!DOCTYPE html>\n<html><body>Welcome to nginx!</body></html>';
