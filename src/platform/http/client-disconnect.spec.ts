import { once } from 'node:events';
import { connect } from 'node:net';
import { fastify } from 'fastify';
import { clientDisconnect } from './client-disconnect';

describe(clientDisconnect.name, () => {
  it('aborts when the client disconnects before its response', async () => {
    const app = fastify();
    const disconnected = new Promise<AbortSignal>((resolve) => {
      app.post('/', (request, reply) => {
        resolve(clientDisconnect(request, reply));
      });
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\n\r\n');
    const signal = await disconnected;
    expect(signal.aborted).toBe(false);
    socket.destroy();
    await once(signal, 'abort');
    await app.close();
  });

  it('never aborts after the response was sent', async () => {
    const app = fastify();
    let signal: AbortSignal | undefined;
    let closed: Promise<unknown> | undefined;
    app.get('/', (request, reply) => {
      signal = clientDisconnect(request, reply);
      closed = once(reply.raw, 'close');
      void reply.send({});
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    await (await fetch(url)).text();
    await closed;
    expect(signal?.aborted).toBe(false);
    await app.close();
  });
});
