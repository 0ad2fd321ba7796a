import dns from 'node:dns';
import { Receiver } from '../../../test/support/receiver';
import { loadConfig } from '../../config/load-config';
import { WebhookClient } from './webhook.client';

const never = new AbortController().signal;

describe(WebhookClient.name, () => {
  let receiver: Receiver;
  let client: WebhookClient;

  beforeAll(async () => void (receiver = await Receiver.start()));
  afterAll(() => receiver.stop());
  afterEach(async () => {
    jest.restoreAllMocks();
    await client.onApplicationShutdown();
  });

  const post = (url: string, signal = never): Promise<void> =>
    client.post(url, '{"a":1}', { 'webhook-id': 'msg_1' }, signal);

  describe('that may connect to any address', () => {
    beforeEach(() => {
      receiver.received.length = 0;
      client = new WebhookClient(
        loadConfig({ RELAY_WEBHOOK_ALLOW_PRIVATE: 'true' }),
      );
    });

    it('posts the body with its headers and the user agent of the service', async () => {
      await post(`${receiver.url}/hook?token=x`);
      expect(receiver.received).toEqual([
        {
          path: '/hook?token=x',
          body: '{"a":1}',
          headers: expect.objectContaining({
            'content-type': 'application/json',
            'user-agent': 'sonde',
            'webhook-id': 'msg_1',
          }),
        },
      ]);
    });

    it.each([301, 302, 307, 308])('does not follow a %d', async (status) => {
      const location = `${receiver.url}/elsewhere`;
      receiver.answer({ status, headers: { location } });
      await expect(post(receiver.url)).rejects.toMatchObject({
        code: `webhook_status_${status}`,
      });
      expect(receiver.received).toHaveLength(1);
    });

    it.each([
      [400, {}],
      [404, {}],
      [429, { retryAfterMs: 7_000 }],
      [500, {}],
      [503, { retryAfterMs: 7_000 }],
    ])('says what a %d asks for', async (status, options) => {
      receiver.answer({ status, headers: { 'retry-after': '7' } });
      await expect(post(receiver.url)).rejects.toMatchObject({
        code: `webhook_status_${status}`,
        options: { retryAfterMs: undefined, final: false, ...options },
      });
    });

    it('stops delivery at a 410', async () => {
      receiver.answer(410);
      await expect(post(receiver.url)).rejects.toMatchObject({
        options: { final: true },
      });
    });

    it('decides by the status, however long the response is', async () => {
      receiver.answer({ status: 200, headers: { 'content-length': 1e9 } });
      await post(receiver.url);
    });

    it('fails with a timeout when the receiver does not respond', async () => {
      await client.onApplicationShutdown();
      client = new WebhookClient(
        loadConfig({
          RELAY_WEBHOOK_ALLOW_PRIVATE: 'true',
          RELAY_WEBHOOK_TIMEOUT_SECONDS: '1',
        }),
      );
      receiver.answer('never');
      await expect(post(receiver.url)).rejects.toMatchObject({
        code: 'webhook_timeout',
      });
    });

    it('stops at once when the signal aborts', async () => {
      receiver.answer('never');
      const stop = new AbortController();
      const posted = post(receiver.url, stop.signal);
      stop.abort(new Error('stopped'));
      await expect(posted).rejects.toThrow('stopped');
    });

    it('never exposes network details in its errors', async () => {
      const stopped = await Receiver.start();
      await stopped.stop();
      await expect(
        post(receiver.url.replace('http:', 'https:')),
      ).rejects.toThrow(/^webhook_unreachable$/);
      await expect(post('http://127.0.0.1:1/')).rejects.toThrow(
        /^webhook_unreachable$/,
      );
    });
  });

  describe('that connects to public addresses only', () => {
    beforeEach(() => {
      receiver.connections = 0;
      client = new WebhookClient(loadConfig({}));
    });
    afterEach(() => expect(receiver.connections).toBe(0));

    const resolveTo = (...addresses: string[]): void => {
      const answer = addresses.map((address) => ({ address, family: 4 }));
      const fake = ((_: string, __: object, done: (...a: unknown[]) => void) =>
        process.nextTick(done, null, answer)) as unknown as typeof dns.lookup;
      jest.spyOn(dns, 'lookup').mockImplementation(fake);
    };

    it('refuses a private IP address in the URL, and plain http', async () => {
      const secure = receiver.url.replace('http:', 'https:');
      for (const url of [secure, receiver.url])
        await expect(post(url)).rejects.toMatchObject({
          code: 'webhook_refused_address',
        });
    });

    it('refuses a name that resolves to the loopback when it connects', async () => {
      resolveTo('127.0.0.1', '10.0.0.1');
      await expect(
        post(`https://hooks.example.com:${receiver.port}/`),
      ).rejects.toMatchObject({ code: 'webhook_refused_address' });
      expect(dns.lookup).toHaveBeenCalled();
    });
  });
});
