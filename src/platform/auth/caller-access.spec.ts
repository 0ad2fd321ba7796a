import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { loadConfig } from '../../config/load-config';
import { CallerAccess } from './caller-access';
import type { StoredKeys } from './stored-keys';

/** One key, and the check of all keys. */
class Key {
  private isValid = true;
  private check = (): void => undefined;

  readonly asStored = {
    onCheck: (listener: () => void) => void (this.check = listener),
    isValid: () => this.isValid,
  } as unknown as StoredKeys;

  /** Its end is known from the first check on. */
  end(checks: number): void {
    this.isValid = false;
    for (let n = 0; n < checks; n += 1) this.check();
  }
}

describe('an open request whose key becomes invalid', () => {
  let key: Key;
  let server: FastifyInstance;
  let url: string;
  const arrivals: ((reply: FastifyReply) => void)[] = [];

  beforeEach(async () => {
    key = new Key();
    const access = new CallerAccess(loadConfig({}), key.asStored);
    server = fastify({ forceCloseConnections: true });
    server.get('/', (_, reply) => {
      access.closeWithKey(reply, 'id');
      arrivals.shift()!(reply);
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterEach(() => server.close());

  const ask = async () => {
    // A reply itself is a promise of its end.
    const arrival = new Promise<{ reply: FastifyReply }>((resolve) =>
      arrivals.push((reply) => resolve({ reply })),
    );
    const answer = fetch(url).then((reply) => reply.text());
    // Looked at later.
    answer.catch(() => undefined);
    return { ...(await arrival), answer };
  };

  it('is answered if the reply is on its way', async () => {
    const { reply, answer } = await ask();
    key.end(1);
    void reply.send('done');
    expect(await answer).toBe('done');
  });

  it('is cut off if the reply has not begun a check later', async () => {
    const { reply, answer } = await ask();
    const closed = once(reply.raw, 'close');
    key.end(2);
    await closed;
    await expect(answer).rejects.toThrow('fetch failed');
  });

  it('is cut off at once in the middle of a stream', async () => {
    const { reply, answer } = await ask();
    reply.hijack();
    reply.raw.writeHead(200);
    reply.raw.write('begun');
    key.end(1);
    await expect(answer).rejects.toThrow();
  });
});
