import { type Dispatcher, fetch } from 'undici';
import { HttpProxy } from '../../../test/support/processes/http-proxy';
import { Receiver } from '../../../test/support/receiver';
import { tlsEndpoint } from '../../../test/support/upstream/tls-endpoint';
import { proxiedAgent, proxyAgent } from './proxied-agent';

const OPTIONS = { connect: { timeout: 500 } };

describe(proxiedAgent.name, () => {
  let receiver: Receiver;
  let proxy: HttpProxy;
  let agents: Dispatcher[];

  beforeEach(async () => {
    receiver = await Receiver.start();
    proxy = await HttpProxy.start({
      'endpoint.test:80': receiver.port,
      'endpoint.test:4000': receiver.port,
      'localhost.test:80': receiver.port,
    });
    agents = [];
  });
  afterEach(async () => {
    await Promise.all(agents.map((agent) => agent.destroy()));
    await proxy.stop();
    await receiver.stop();
  });

  const agent = (except = ''): Dispatcher => {
    const { url } = proxy;
    const made = proxiedAgent({ http: url, https: url, except }, OPTIONS);
    agents.push(made);
    return made;
  };
  const get = async (origin: string, by: Dispatcher): Promise<number> => {
    const reply = await by.request({ origin, path: '/a?b=c', method: 'GET' });
    await reply.body.dump();
    return reply.statusCode;
  };
  const codeOf = (promise: Promise<unknown>) =>
    promise.catch(({ code }: NodeJS.ErrnoException) => code);

  it('has the proxy forward requests of http, and keeps its connection', async () => {
    const by = agent();
    expect(await get('http://endpoint.test', by)).toBe(204);
    expect(await get('http://endpoint.test:4000', by)).toBe(204);
    await fetch('http://endpoint.test/a?b=c', { dispatcher: by });
    expect(proxy.asked).toEqual([
      'GET http://endpoint.test/a?b=c',
      'GET http://endpoint.test:4000/a?b=c',
      'GET http://endpoint.test/a?b=c',
    ]);
    const [{ headers }] = receiver.received;
    expect(headers.host).toBe('endpoint.test');
  });

  it.each(['http://127.0.0.1', 'http://localhost', 'http://127.0.0.2'])(
    'reaches %s itself, and so never by the proxy',
    async (origin) => {
      const ok = await codeOf(get(`${origin}:${receiver.port}`, agent()));
      // The receiver is at one of the addresses alone.
      expect([204, 'ECONNREFUSED']).toContain(ok);
      expect(proxy.asked).toEqual([]);
    },
  );

  it.each([
    ['endpoint.test', false],
    ['.test', false],
    ['*.test', false],
    ['other.example, ENDPOINT.test', false],
    ['*', false],
    ['endpoint.test:80', false],
    ['endpoint.test:4000', true],
    ['int.test', true],
  ])('with NO_PROXY=%s asks the proxy: %s', async (except, asked) => {
    const found = await codeOf(get('http://endpoint.test', agent(except)));
    // No resolver knows the name.
    expect(found === 204).toBe(asked);
    expect(proxy.asked.length > 0).toBe(asked);
  });

  it('leaves the other scheme alone', async () => {
    const by = proxiedAgent({ https: proxy.url, except: '' }, OPTIONS);
    agents.push(by);
    expect(await codeOf(get('http://endpoint.test', by))).not.toBe(204);
    expect(proxy.asked).toEqual([]);
  });

  it.each([403, 407, 502, 'never'] as const)(
    'says that nothing was sent where the proxy opens no tunnel: %s',
    async (refusal) => {
      proxy.refusal = refusal;
      const failure = codeOf(get('https://endpoint.test', agent()));
      expect(await failure).toBe('ERR_NO_TUNNEL');
      expect(proxy.asked).toEqual(['CONNECT endpoint.test:443']);
    },
  );

  it('says that nothing was sent where there is no proxy', async () => {
    const http = 'http://127.0.0.1:9';
    const by = proxiedAgent({ http, https: http, except: '' }, OPTIONS);
    agents.push(by);
    expect(await codeOf(get('http://endpoint.test', by))).toBe('ECONNREFUSED');
    expect(await codeOf(get('https://endpoint.test', by))).toBe(
      'ERR_NO_TUNNEL',
    );
  });

  it('checks the certificate of the host behind a tunnel', async () => {
    const endpoint = await tlsEndpoint(receiver.port);
    const other = await HttpProxy.start({ 'endpoint.test:443': endpoint.port });
    const by = proxyAgent(other.url, OPTIONS);
    agents.push(by);
    expect(await codeOf(get('https://endpoint.test', by))).toBe(
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    );
    expect(other.asked).toEqual(['CONNECT endpoint.test:443']);
    await other.stop();
    endpoint.close();
  });
});
