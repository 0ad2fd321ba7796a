import type { AppConfig } from '../config/config';
import { ConfigError } from '../config/environment';

/** An API or worker on its own has nothing embedded: others must find the same Redis and the same upstream. */
export function requireOutsideParts(config: AppConfig): void {
  if (config.redis === undefined)
    throw new ConfigError(
      'REDIS_URL is not set; only `npm start` embeds a Redis. Example: redis://127.0.0.1:6379',
    );
  if (config.upstream.baseUrl === undefined)
    throw new ConfigError(
      'LITELLM_BASE_URL is not set; only `npm start` embeds a sandbox. Example: http://127.0.0.1:4010 with `npm run sandbox`',
    );
}
