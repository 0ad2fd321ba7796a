import type { AppConfig } from '../config';
import type { Environment } from '../environment';
import { readOrigins } from '../addresses/origins';
import { readProxy } from './proxy-settings';

const ORIGINS = 'RELAY_PAGES_ALLOWED_ORIGINS';
const EXAMPLE = 'http://wiki.internal:8090';

export function readPages(env: Environment): AppConfig['pages'] {
  const allowedOrigins = readOrigins(env, ORIGINS, EXAMPLE);
  for (const origin of allowedOrigins) {
    if (origin.includes('*'))
      env.fail(
        ORIGINS,
        `names "${origin}", but each origin is allowed on its own`,
        EXAMPLE,
      );
  }
  const proxy = readProxy(env, 'RELAY_PAGES_PROXY');
  return { allowedOrigins, ...(proxy !== undefined && { proxy }) };
}
