import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doctor } from '../../support/processes/doctor';
import { HttpProxy } from '../../support/processes/http-proxy';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { CERTIFICATE, tlsEndpoint } from '../../support/upstream/tls-endpoint';
import { until } from '../../support/until';

const NAMES = {
  endpoint: 'endpoint.test',
  search: 'search.test',
};

describe('a service that reaches the world through a proxy', () => {
  let folder: string;
  let stand: Stand;
  let proxy: HttpProxy;
  let endpoint: Awaited<ReturnType<typeof tlsEndpoint>>;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sonde-proxies-'));
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, CERTIFICATE);
    stand = await Stand.start({ apis: 0, workers: 0 });
    const port = Number(new URL(stand.sandbox.url).port);
    endpoint = await tlsEndpoint(port);
    proxy = await HttpProxy.start({
      [`${NAMES.endpoint}:443`]: endpoint.port,
      [`${NAMES.search}:80`]: port,
    });
    env = {
      LITELLM_CHAT_MODEL: 'sandbox-plain',
      LITELLM_BASE_URL: `https://${NAMES.endpoint}`,
      RELAY_SEARCH: `searxng:http://${NAMES.search}`,
      RELAY_PAGES_ALLOWED_ORIGINS: `http://${NAMES.search}`,
      NODE_EXTRA_CA_CERTS: authority,
      HTTP_PROXY: proxy.url,
      https_proxy: proxy.url,
    };
    await Promise.all([stand.addApi(env), stand.addWorker(env)]);
  });
  beforeEach(() => void proxy.asked.splice(0));
  afterAll(async () => {
    await stand.stop();
    await proxy.stop();
    endpoint.close();
    rmSync(folder, { recursive: true });
  });

  const asked = (): string[] => [...new Set(proxy.asked)];

  it('buys hosted research through a tunnel, once', async () => {
    const run = await stand.client().submit();
    const { status } = await run.wait();
    expect(status).toBe('completed');
    expect((await stand.stats()).creates_by_invocation[run.id]).toBe(1);
    expect(asked()).toEqual([`CONNECT ${NAMES.endpoint}:443`]);
  });

  it('buys nothing while the proxy opens no tunnel, and carries on once it does', async () => {
    // Connections that are open need no other tunnel.
    await stand.replaceWorkers(env);
    proxy.refusal = 503;
    const run = await stand.client().submit();
    await until('a tunnel is refused', (saw) => saw(proxy.asked).length > 0);
    proxy.refusal = undefined;
    const { status } = await run.wait();
    expect(status).toBe('completed');
    expect((await stand.stats()).creates_by_invocation[run.id]).toBe(1);
  });

  it('searches through it, and reads pages without it', async () => {
    const research_question = 'The history of kimchi';
    const question = { research_question, engine: 'agent' };
    await (await stand.client().submit(question)).wait();
    const forwarded = asked().filter((one) => one.startsWith('GET'));
    expect(forwarded.length).toBeGreaterThan(0);
    for (const one of forwarded)
      expect(one).toMatch(/^GET http:\/\/search\.test\/search\?/);
  });

  it('says at the start and in the doctor which proxy it uses, without the password', async () => {
    const used = [
      `Proxy for http: ${proxy.host}, to the model endpoint, search providers and MCP servers`,
      `Proxy for https: ${proxy.host}, to the model endpoint, search providers and MCP servers`,
      'Pages and webhooks are reached without a proxy (RELAY_PAGES_PROXY sets one for pages)',
    ];
    const { code, lines } = await doctor({ ...stand.env, ...env });
    expect(lines.slice(0, 3)).toEqual(used);
    expect(code).toBe(0);
    for (const { output } of [...stand.apis, ...stand.workers]) {
      for (const line of used) expect(output).toContain(line);
      expect(output).not.toContain('word@');
    }
  });

  it('does not start with the URL of a proxy that is none', async () => {
    const https_proxy = 'socks5://alice:hunter2@proxy.example.com';
    const api = Service.spawn('main', { ...stand.env, https_proxy });
    expect(await api.end()).toBe(1);
    expect(api.output).toMatch(/^https_proxy is not the http\(s\) URL/);
    expect(api.output).not.toContain('hunter2');
  });
});
