import {
  Agent,
  type Dispatcher,
  EnvHttpProxyAgent,
  Pool,
  ProxyAgent,
} from 'undici';
import { isLoopback } from '../../config/addresses/loopback-address';
import type { ProxySettings } from '../../config/settings/proxy-settings';

/** The code of the error for a proxy that opened no connection: no byte of the request was sent. */
export const NO_TUNNEL = 'ERR_NO_TUNNEL';

export interface ConnectionOptions extends Omit<
  Pool.Options,
  'connect' | 'factory'
> {
  connect: { timeout: number };
}

/**
 * Opens connections to hosts that the operator names: through the proxy of the environment, if there is one, and never
 * to the loopback. Every origin has connections of its own, within the limits of the options.
 */
export function proxiedAgent(
  proxies: ProxySettings | undefined,
  options: ConnectionOptions,
): Agent {
  if (!proxies) return new Agent(options);
  return new Agent({
    ...options,
    factory: (origin, given: Pool.Options) => {
      const { protocol, hostname } = new URL(origin);
      const uri = protocol === 'https:' ? proxies.https : proxies.http;
      if (uri === undefined || isLoopback(hostname))
        return new Pool(origin, given);
      return new EnvHttpProxyAgent({
        ...throughProxy(options),
        httpProxy: uri,
        httpsProxy: uri,
        noProxy: proxies.except,
      });
    },
  });
}

/** Sends everything through one proxy, which also resolves the names. */
export function proxyAgent(
  uri: string,
  options: ConnectionOptions,
): ProxyAgent {
  return new ProxyAgent({ ...throughProxy(options), uri });
}

/** A request of https has a tunnel; one of http goes to the proxy itself, most of which refuse tunnels to other ports. */
function throughProxy(options: ConnectionOptions) {
  const { connect } = options;
  return {
    ...options,
    proxyTunnel: false,
    proxyTls: connect,
    requestTls: connect,
    factory: (origin: string | URL, given: object) =>
      new Pool(origin, { ...options, ...given }),
    clientFactory: (origin: URL, given: object) =>
      new TunnelPool(origin, { ...given, headersTimeout: connect.timeout }),
  };
}

/** Connections to a proxy, each for one tunnel. */
class TunnelPool extends Pool {
  override connect = (async (options: Dispatcher.ConnectOptions) => {
    try {
      const tunnel = await super.connect(options);
      if (tunnel.statusCode === 200) return tunnel;
      tunnel.socket.on('error', () => undefined).destroy();
      throw new Error(`The proxy replied ${tunnel.statusCode}`);
    } catch (cause) {
      const failed = new Error('The proxy opens no tunnel', { cause });
      throw Object.assign(failed, { code: NO_TUNNEL });
    }
  }) as Pool['connect'];
}
