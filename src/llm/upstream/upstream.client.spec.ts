import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { loadConfig } from '../../config/load-config';
import { tlsEndpoint } from '../../../test/support/upstream/tls-endpoint';
import { isPassing } from './endpoint-wait';
import { UpstreamClient } from './upstream.client';
import { connectionError, type UpstreamError } from './upstream-error';

const MIB = 1024 * 1024;

/** Sends the piece over and over until the other side closes the connection. */
function endlessly(response: ServerResponse, piece: string): void {
  const bytes = Buffer.from(piece.repeat(65_536 / piece.length));
  const send = (): void => {
    while (!response.destroyed && response.write(bytes));
    if (!response.destroyed) response.once('drain', send);
  };
  send();
}

describe(UpstreamClient.name, () => {
  let server: Server;
  let client: UpstreamClient;
  let answer: (response: ServerResponse) => void;
  /** How much the endpoint has sent of a reply when its connection was closed. */
  let sent: Promise<number>;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      const { socket } = response;
      sent = new Promise((resolve) =>
        socket!.once('close', () => resolve(socket!.bytesWritten)),
      );
      answer(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    client = new UpstreamClient(
      loadConfig({ LITELLM_BASE_URL: `http://127.0.0.1:${port}` }),
    );
  });

  afterAll(async () => {
    await client.onApplicationShutdown();
    server.close();
  });

  const call = (signal = new AbortController().signal) => ({
    method: 'POST' as const,
    path: '/responses',
    body: {},
    signal,
  });
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => Promise.reject(new Error('did not fail')),
      (error: UpstreamError) => error,
    );

  it('names a certificate that is not trusted, which no repetition changes', async () => {
    const { port } = server.address() as AddressInfo;
    const endpoint = await tlsEndpoint(port);
    const other = new UpstreamClient(
      loadConfig({ LITELLM_BASE_URL: `https://127.0.0.1:${endpoint.port}` }),
    );
    const error = await failure(other.json(call()));
    expect(error).toMatchObject({ code: 'upstream_untrusted', effect: 'none' });
    expect(error.message).toContain('NODE_EXTRA_CA_CERTS');
    expect(isPassing(error)).toBe(false);
    await other.onApplicationShutdown();
    endpoint.close();
  });

  it.each([
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_HAS_EXPIRED',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('takes %s for such a certificate', (code) => {
    expect(connectionError({ code }).code).toBe('upstream_untrusted');
  });

  it.each(['json', 'stream'] as const)(
    'reads no more than the beginning of an endless error (%s)',
    async (kind) => {
      answer = (response) => {
        response.writeHead(500);
        endlessly(response, 'x');
      };
      const error = await failure(client[kind](call()));
      expect(error.fault.status).toBe(500);
      expect(error.fault.message).toHaveLength(500);
      expect(await sent).toBeLessThan(8 * MIB);
    },
  );

  it.each(['reply', 'stream'] as const)(
    'sends a call that must not be repeated over no connection that was used (%s)',
    async (kind) => {
      const used = new Set<Socket>();
      answer = (response) => {
        const socket = response.socket!;
        const isUsed = used.has(socket);
        used.add(socket);
        // Its server was closing it when the request came.
        if (isUsed) socket.resetAndDestroy();
        else response.end('{}');
      };
      for (let n = 1; n <= 3; n += 1) {
        const reply = await client[kind]({ ...call(), once: true });
        expect(reply).toMatchObject({ body: {} });
        expect(used.size).toBe(n);
      }
    },
  );

  it('sends many short calls over few connections', async () => {
    const used = new Set<Socket>();
    answer = (response) => {
      used.add(response.socket!);
      response.end('{}');
    };
    for (let n = 0; n < 8; n += 1) await client.reply(call());
    expect(used.size).toBeLessThan(8);
  });

  it('closes a stream that has ended before anybody begins to read', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {}\n\n');
    };
    const reply = await client.stream({ ...call(), once: true });
    if (reply.kind !== 'stream') throw new Error('no stream');
    await sent;
    reply.close();
    // An error that nobody handles would end the process meanwhile.
    answer = (response) => response.end('{}');
    expect(await client.json(call())).toEqual({});
  });

  it('drops the rest of an error that breaks off, and keeps its status', async () => {
    answer = (response) => {
      response.writeHead(400, { 'content-length': 100 });
      response.write('{"error":', () => response.destroy());
    };
    const error = await failure(client.json(call()));
    expect(error.fault).toMatchObject({ status: 400, message: '{"error":' });
  });

  it('stops waiting for the rest of an error when the signal aborts', async () => {
    const reached = Promise.withResolvers<void>();
    answer = (response) => {
      response.writeHead(400);
      response.write('{', () => reached.resolve());
    };
    const stop = new AbortController();
    const failed = failure(client.json(call(stop.signal)));
    await reached.promise;
    stop.abort(new Error('stopped'));
    expect((await failed).message).toBe('stopped');
  });

  it.each(['json', 'stream'] as const)(
    'refuses an endless body (%s)',
    async (kind) => {
      answer = (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        endlessly(response, ' ');
      };
      const error = await failure(client[kind](call()));
      expect(error).toMatchObject({
        code: 'upstream_error',
        effect: 'unknown',
      });
      expect(await sent).toBeLessThan(64 * MIB);
    },
  );

  it.each([
    ['line', 'x'],
    ['event of many lines', 'data: 1\n'],
    ['event of lines that nothing is known of', 'id: 1\nevent: x\n'],
    ['event between comments', 'data: 1\n: alive\n'],
  ])('refuses an endless %s of a stream', async (_what, piece) => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"type":"first"}\n\n');
      if (piece === 'x') response.write('data: ');
      endlessly(response, piece);
    };
    const reply = await client.stream(call());
    if (reply.kind !== 'stream') throw new Error('no stream');
    const read = (async () => {
      for (;;) {
        const { done, value } = await reply.events.next();
        if (done) return;
        expect(value).toEqual([{ type: 'first' }]);
      }
    })();
    expect(await failure(read)).toMatchObject({
      code: 'upstream_error',
      effect: 'unknown',
    });
    expect(await sent).toBeLessThan(32 * MIB);
  });

  it('continues a stream through more bytes of comments than an event may have', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const comment = `: ${'x'.repeat(65_536)}\n`;
      for (let n = 0; n < 300; n += 1) response.write(comment);
      response.end('data: {"type":"last"}\n\n');
    };
    const reply = await client.stream(call());
    if (reply.kind !== 'stream') throw new Error('no stream');
    expect((await reply.events.next()).value).toEqual([{ type: 'last' }]);
  });
});
