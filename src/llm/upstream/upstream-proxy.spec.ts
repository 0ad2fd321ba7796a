import { HttpProxy } from '../../../test/support/processes/http-proxy';
import { fixedEndpoint } from '../../../test/support/upstream/fixed-endpoint';
import { loadConfig } from '../../config/load-config';
import { UpstreamClient } from './upstream.client';

describe('the client of the model endpoint behind a proxy', () => {
  let proxy: HttpProxy;
  let endpoint: Awaited<ReturnType<typeof fixedEndpoint>>;
  let client: UpstreamClient;

  beforeEach(async () => {
    endpoint = await fixedEndpoint(() => ({ status: 200, body: '{"id":1}' }));
    const port = Number(new URL(endpoint.url).port);
    proxy = await HttpProxy.start({ 'endpoint.test:80': port });
  });
  afterEach(async () => {
    await client.onApplicationShutdown();
    await proxy.stop();
    await endpoint.close();
  });

  const call = {
    method: 'POST' as const,
    path: '/responses',
    body: {},
    signal: new AbortController().signal,
  };
  const through = (scheme: string): UpstreamClient => {
    client = new UpstreamClient(
      loadConfig({
        LITELLM_BASE_URL: `${scheme}://endpoint.test`,
        http_proxy: proxy.url,
        HTTPS_PROXY: proxy.host,
      }),
    );
    return client;
  };
  const SENDING: Record<string, (by: UpstreamClient) => Promise<unknown>> = {
    reply: (by) => by.json(call),
    'reply, once': (by) => by.json({ ...call, once: true }),
    stream: (by) => by.stream(call),
    'stream, once': (by) => by.stream({ ...call, once: true }),
  };
  const CALLS = Object.keys(SENDING);

  it.each(CALLS)('sends every kind of call through it (%s)', async (kind) => {
    await SENDING[kind](through('http'));
    expect(endpoint.asked).toEqual(['POST /v1/responses']);
    expect(proxy.asked).toEqual(['POST http://endpoint.test/v1/responses']);
  });

  it.each(
    CALLS.flatMap((kind) =>
      ['http', 'https'].map((scheme) => [kind, scheme] as const),
    ),
  )(
    'knows that nothing was bought where it asks for a password (%s, %s)',
    async (kind, scheme) => {
      proxy.refusal = 407;
      await expect(SENDING[kind](through(scheme))).rejects.toMatchObject({
        effect: 'none',
      });
      expect(endpoint.asked).toEqual([]);
      expect(proxy.asked).toHaveLength(1);
    },
  );

  it.each(CALLS)(
    'does not know what was bought where it loses the reply (%s)',
    async (kind) => {
      proxy.refusal = 502;
      await expect(SENDING[kind](through('http'))).rejects.toMatchObject({
        effect: 'unknown',
      });
    },
  );
});
