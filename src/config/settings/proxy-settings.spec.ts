import { ConfigError } from '../environment';
import { loadConfig } from '../load-config';
import { proxyNotices } from './proxy-settings';

const PROXY = 'http://proxy.example.com:3128';

describe('the proxies of the environment', () => {
  const read = (env: NodeJS.ProcessEnv) => loadConfig(env).proxies;

  it('are none, and nothing is said of them, where none is set', () => {
    const config = loadConfig({ NO_PROXY: '*', http_proxy: '' });
    expect(config.proxies).toBeUndefined();
    expect(proxyNotices(config)).toEqual([]);
  });

  it.each(['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'])(
    'are read from %s, for its scheme alone',
    (name) => {
      const scheme = name.toLowerCase().slice(0, -'_proxy'.length);
      expect(read({ [name]: PROXY })).toEqual({
        [scheme]: `${PROXY}/`,
        except: '',
      });
    },
  );

  it('are those in lower case where both are set', () => {
    const env = { https_proxy: 'a.example:1', HTTPS_PROXY: 'b.example:2' };
    const except = { no_proxy: 'c', NO_PROXY: 'd' };
    expect(read({ ...env, ...except })).toEqual({
      https: 'http://a.example:1/',
      except: 'c',
    });
    expect(read({ ...env, https_proxy: ' ' })?.https).toBe(
      'http://b.example:2/',
    );
  });

  it.each([
    ['socks5://alice:hunter2@proxy.example.com:1080', /not the http\(s\) URL/],
    ['http://alice:hunter2@', /not the http\(s\) URL/],
    ['alice:hunter2@proxy.example.com:99999', /not the http\(s\) URL/],
    ['http://alice:hunter2@proxy.example.com/path', /has a path/],
    ['http://hunter2@proxy.example.com', /a user without a password/],
    ['http://:hunter2@proxy.example.com', /a user without a password/],
    ['http://alice:hunter2%zz@proxy.example.com', /not percent-encoded/],
  ])('are refused without a word of what is in %s', (url, fault) => {
    for (const name of ['HTTPS_PROXY', 'http_proxy', 'RELAY_PAGES_PROXY']) {
      const load = (): unknown => loadConfig({ [name]: url });
      expect(load).toThrow(ConfigError);
      expect(load).toThrow(fault);
      expect(load).toThrow(new RegExp(`^${name} (?!.*hunter2)`));
    }
  });

  it('are named by their hosts alone, with what does not use them', () => {
    const secret = 'http://alice:hunter2@proxy.example.com:3128';
    const notices = (env: NodeJS.ProcessEnv) => proxyNotices(loadConfig(env));
    expect(notices({ HTTPS_PROXY: secret, HTTP_PROXY: secret })).toEqual([
      'Proxy for http: proxy.example.com:3128, to the model endpoint, search providers and MCP servers',
      'Proxy for https: proxy.example.com:3128, to the model endpoint, search providers and MCP servers',
      'Pages and webhooks are reached without a proxy (RELAY_PAGES_PROXY sets one for pages)',
    ]);
    expect(notices({ RELAY_PAGES_PROXY: secret })).toEqual([
      'Proxy for pages: proxy.example.com:3128',
    ]);
  });

  it('do not include that of pages, which is a choice of its own', () => {
    const { pages, proxies } = loadConfig({ RELAY_PAGES_PROXY: PROXY });
    expect(pages.proxy).toBe(`${PROXY}/`);
    expect(proxies).toBeUndefined();
  });
});
