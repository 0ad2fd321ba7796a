import type { Environment } from '../environment';

/** The proxies of the environment, as `http://[user:password@]host:port`. */
export interface ProxySettings {
  /** For destinations whose URL is http. */
  readonly http?: string;
  /** For destinations whose URL is https. */
  readonly https?: string;
  /** Hosts that are reached directly, in the form of NO_PROXY. Those of the loopback always are. */
  readonly except: string;
}

const EXAMPLE = 'http://proxy.example.com:3128';

/** HTTP_PROXY, HTTPS_PROXY and NO_PROXY; in lower case they have precedence, as for curl. Undefined: no proxy. */
export function readProxies(env: Environment): ProxySettings | undefined {
  const http = readProxy(env, nameOf(env, 'HTTP_PROXY'));
  const https = readProxy(env, nameOf(env, 'HTTPS_PROXY'));
  const except = env.text(nameOf(env, 'NO_PROXY'), '');
  if (http === undefined && https === undefined) return undefined;
  return { ...(http && { http }), ...(https && { https }), except };
}

/** The URL of a proxy, which may lack its scheme. Errors never repeat it: it may hold a password. */
export function readProxy(env: Environment, name: string): string | undefined {
  return env.parsed(name, parse, EXAMPLE);
}

/** Lines for the operator: what goes through a proxy, by host and port alone, and what does not. */
export function proxyNotices({
  proxies,
  pages,
}: {
  proxies?: ProxySettings;
  pages: { proxy?: string };
}): string[] {
  const used = (['http', 'https'] as const).flatMap((scheme) => {
    const uri = proxies?.[scheme];
    return uri === undefined
      ? []
      : `Proxy for ${scheme}: ${hostOf(uri)}, to the model endpoint, search providers and MCP servers`;
  });
  if (pages.proxy !== undefined)
    return [...used, `Proxy for pages: ${hostOf(pages.proxy)}`];
  return used.length > 0
    ? [
        ...used,
        'Pages and webhooks are reached without a proxy (RELAY_PAGES_PROXY sets one for pages)',
      ]
    : [];
}

function hostOf(uri: string): string {
  return new URL(uri).host;
}

function nameOf(env: Environment, name: string): string {
  const lower = name.toLowerCase();
  // Both are read, so that neither counts as unknown.
  const [low, up] = [lower, name].map((one) => env.optional(one));
  return low === undefined && up !== undefined ? name : lower;
}

function parse(value: string): string {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url?.hostname || !/^https?:$/.test(url.protocol))
    throw new Error('is not the http(s) URL of a proxy');
  if (url.pathname !== '/' || url.search || url.hash)
    throw new Error('has a path, a query or a fragment');
  // A proxy without the credentials that its URL holds in part would refuse everything.
  if (!url.username !== !url.password)
    throw new Error('has a user without a password, or the reverse');
  if (!isEncoded(url.username + url.password))
    throw new Error('has a user or a password that is not percent-encoded');
  return url.href;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
