import type { AppConfig } from '../../config/config';
import { ConfigError } from '../../config/environment';
import type { RedisTarget } from '../../config/addresses/redis-url';
import {
  embeddedDataDir,
  findEmbeddedRedis,
} from '../../platform/redis/embedded-redis';

/** @throws ConfigError if none is configured and none is embedded in a running service. */
export async function installedRedis({
  redis,
  dataDir,
}: AppConfig): Promise<RedisTarget> {
  const folder = embeddedDataDir(dataDir);
  const found = redis ?? (await findEmbeddedRedis(folder));
  if (found !== undefined) return found;
  throw new ConfigError(
    `REDIS_URL is not set, and no service of this user is running on the data in ${folder}.`,
  );
}
