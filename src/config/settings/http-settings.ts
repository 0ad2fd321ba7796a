import type { AppConfig } from '../config';
import type { Environment } from '../environment';
import { readOrigins } from '../addresses/origins';
import { isLoopback } from '../addresses/loopback-address';

const MB = 1024 * 1024;
const HOSTS = 'RELAY_ALLOWED_HOSTS';
const ORIGINS = 'RELAY_CORS_ORIGINS';
const DOCS = 'RELAY_DOCS';
const PUBLIC_URL = 'https://example.com/sonde';

/** Where the API listens, and which hosts and origins it serves. */
export function readHttp(
  env: Environment,
  host: string,
  hasKeys: boolean,
): AppConfig['http'] {
  return {
    host,
    port: env.integer('RELAY_PORT', 8080, 0, 65535),
    loopback: isLoopback(host),
    allowedHosts: readHosts(env),
    publicUrl: env.parsed('RELAY_PUBLIC_URL', publicUrl, PUBLIC_URL),
    corsOrigins: readOrigins(env, ORIGINS, 'https://app.example.com'),
    bodyMemoryBytes: env.integer('RELAY_BODY_MEMORY_MB', 64, 8, 100_000) * MB,
    bodyTimeoutMs: env.seconds('RELAY_BODY_TIMEOUT_SECONDS', 30, 1, 3600),
    docs: readDocs(env, hasKeys),
  };
}

function readHosts(env: Environment): string[] {
  const hosts = env.list(HOSTS, []).map((name) => name.toLowerCase());
  for (const name of hosts) {
    if (name !== '*' && !/^[a-z0-9._-]{1,253}$/.test(name))
      env.fail(
        HOSTS,
        `names "${name}", which is not a host name without a port`,
        'sonde.example.com',
      );
  }
  return hosts;
}

/** @throws Error with its fault. */
function publicUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('is not an http(s) URL');
  if (url.username || url.password || /[?#]/.test(value))
    throw new Error('has credentials, a query or a fragment');
  return url.href.replace(/\/+$/, '');
}

function readDocs(
  env: Environment,
  hasKeys: boolean,
): 'public' | 'key' | 'off' {
  const byDefault = hasKeys ? 'key' : 'public';
  const docs = env.oneOf(DOCS, ['public', 'key', 'off'], byDefault);
  if (docs === 'key' && !hasKeys)
    env.fail(DOCS, 'is key, but no API keys are required', 'public');
  return docs;
}
