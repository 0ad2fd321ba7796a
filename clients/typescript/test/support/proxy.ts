import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Proxy {
  url: string;
  /** Requests passed on, each with its headers and its body as text. */
  seen: { request: IncomingMessage; text: string }[];
  close(): Promise<void>;
}

/** Forwards every request to `target` and records it. */
export async function startProxy(target: string): Promise<Proxy> {
  const seen: Proxy['seen'] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const { method, headers, rawHeaders } = request;
      const text = [...rawHeaders, body.toString()].join('\n');
      seen.push({ request, text });
      const onward = send(target + request.url, { method, headers });
      onward.on('error', () => response.destroy());
      onward.on('response', (reply) => {
        response.writeHead(reply.statusCode!, reply.headers);
        response.flushHeaders();
        reply.on('error', () => response.destroy());
        reply.on('aborted', () => response.destroy());
        reply.pipe(response);
      });
      response.on('close', () => onward.destroy());
      onward.end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
