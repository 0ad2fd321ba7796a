export interface HostPort {
  host: string;
  port: number;
}

interface Credentials {
  username?: string;
  password?: string;
  tls: boolean;
}

/** The address of Redis, in one of four forms. */
export type RedisTarget =
  | ({ kind: 'single'; db: number } & HostPort & Credentials)
  | { kind: 'socket'; path: string; db: number }
  | ({ kind: 'cluster'; nodes: HostPort[] } & Credentials)
  | ({
      kind: 'sentinel';
      sentinels: HostPort[];
      master: string;
      db: number;
    } & Credentials);

const FORM =
  /^(rediss?)(?:\+(cluster|sentinel))?:\/\/(?:([^@/]*)@)?([^/?#]+)(?:\/([^?#]*))?$/;

/**
 * Parses `redis://[user:password@]host[:port][/db]`, `rediss://…` (TLS), `unix:///path[?db=N]`,
 * `redis+cluster://host:port,host:port` and `redis+sentinel://host:port,host:port/master[/db]`.
 * @throws Error whose message never contains the value, which may hold a password.
 */
export function parseRedisUrl(url: string): RedisTarget {
  if (url.startsWith('unix://')) return parseSocket(url);
  const match = FORM.exec(url);
  if (!match) throw new Error('is not a Redis URL');
  const [, scheme, form, userinfo, hosts, path = ''] = match;
  const credentials = { tls: scheme === 'rediss', ...parseUserinfo(userinfo) };
  const nodes = hosts
    .split(',')
    .map((host) => parseHost(host, form === 'sentinel' ? 26379 : 6379));
  if (form === 'cluster') {
    if (path)
      throw new Error('has a database number; a cluster has only database 0');
    return { kind: 'cluster', nodes, ...credentials };
  }
  if (form === 'sentinel') {
    const [master, db] = path.split('/');
    if (!master) throw new Error('does not name the master');
    return {
      kind: 'sentinel',
      sentinels: nodes,
      master,
      db: parseDb(db),
      ...credentials,
    };
  }
  if (nodes.length > 1)
    throw new Error(
      'names several hosts; use redis+cluster:// or redis+sentinel://',
    );
  return { kind: 'single', ...nodes[0], db: parseDb(path), ...credentials };
}

function parseSocket(url: string): RedisTarget {
  const { pathname, searchParams } = new URL(url);
  if (pathname.length < 2) throw new Error('does not name the socket');
  return {
    kind: 'socket',
    path: decodeURIComponent(pathname),
    db: parseDb(searchParams.get('db') ?? ''),
  };
}

function parseUserinfo(userinfo = ''): {
  username?: string;
  password?: string;
} {
  const colon = userinfo.indexOf(':');
  const [username, password] =
    colon < 0
      ? [userinfo, '']
      : [userinfo.slice(0, colon), userinfo.slice(colon + 1)];
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
  };
}

function parseHost(text: string, defaultPort: number): HostPort {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text);
  if (!match) throw new Error('has a host that cannot be read');
  const port = match[2] === undefined ? defaultPort : Number(match[2]);
  if (port < 1 || port > 65535) throw new Error('has a port outside 1..65535');
  return { host: match[1].replace(/^\[|\]$/g, ''), port };
}

function parseDb(text = ''): number {
  if (!/^\d{0,4}$/.test(text))
    throw new Error('has a database that is not a number');
  return Number(text || 0);
}
