import { HttpProxy } from '../../../../test/support/processes/http-proxy';
import { Receiver } from '../../../../test/support/receiver';
import { loadConfig } from '../../../config/load-config';
import { PageLimits } from '../page-limits';
import type { HostSlots } from './host-slots';
import { PageClient } from './page.client';

/** Without limits over all workers. */
const SLOTS = {
  use: (_host: string, _signal: AbortSignal, work: () => unknown) => work(),
} as unknown as HostSlots;

describe('the client of pages', () => {
  let site: Receiver;
  let proxy: HttpProxy;
  let client: PageClient;

  beforeEach(async () => {
    site = await Receiver.start();
    proxy = await HttpProxy.start({ 'site.test:80': site.port });
  });
  afterEach(async () => {
    await client.onApplicationShutdown();
    await proxy.stop();
    await site.stop();
  });

  const read = async (url: string, env: NodeJS.ProcessEnv): Promise<number> => {
    client = new PageClient(loadConfig(env), SLOTS, new PageLimits());
    const never = new AbortController().signal;
    return client.get(client.check(url), never, ({ reply }) =>
      Promise.resolve(reply.statusCode),
    );
  };

  it('uses no proxy of the environment', async () => {
    const env = { HTTP_PROXY: proxy.url, https_proxy: proxy.url };
    await read('http://site.test/', env).catch(() => undefined);
    expect(proxy.asked).toEqual([]);
  });

  it('uses the proxy of pages, which resolves names', async () => {
    const env = { RELAY_PAGES_PROXY: proxy.url };
    expect(await read('http://site.test/a', env)).toBe(204);
    expect(proxy.asked).toEqual(['GET http://site.test/a']);
  });

  it('still refuses addresses that are not public, where a URL spells them out', async () => {
    const env = { RELAY_PAGES_PROXY: proxy.url };
    await expect(read('http://127.0.0.1/', env)).rejects.toThrow();
    site.answer({ status: 302, headers: { location: 'http://10.0.0.1/' } });
    await expect(read('http://site.test/', env)).rejects.toMatchObject({
      fault: 'address_refused',
    });
    expect(proxy.asked).toEqual(['GET http://site.test/']);
  });

  it('reaches allowed origins itself', async () => {
    const env = {
      RELAY_PAGES_PROXY: proxy.url,
      RELAY_PAGES_ALLOWED_ORIGINS: site.url,
    };
    expect(await read(`${site.url}/wiki`, env)).toBe(204);
    expect(proxy.asked).toEqual([]);
  });

  it('fails as at an unreachable site where the proxy opens no tunnel', async () => {
    proxy.refusal = 403;
    const env = { RELAY_PAGES_PROXY: proxy.url };
    await expect(read('https://site.test/', env)).rejects.toMatchObject({
      fault: 'unreachable',
    });
  });
});
