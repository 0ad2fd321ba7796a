import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../../../config/config';
import { RedisConnections } from '../../redis/redis-connections';
import type { RedisFault } from '../../redis/state/redis-faults';
import { problemsOf } from '../../redis/state/redis-problems';
import { HealthFault, HealthRegistry } from './health-registry';

/**
 * Nothing can be accepted or read without Redis; while it takes no writes, or its memory is nearly full, what it holds is
 * still served.
 */
export function checkRedis(
  registry: HealthRegistry,
  redis: RedisConnections,
  { runs }: Pick<AppConfig, 'runs'>,
): void {
  registry.register(
    'redis',
    async () => {
      const fault = await redis.look();
      if (fault && !fault.reads) throw toHealthFault(fault);
    },
    { critical: true },
  );
  registry.register('storage', () => storage(redis, runs.redisMaxBytes), {
    critical: false,
  });
}

async function storage(
  redis: RedisConnections,
  maxBytes?: number,
): Promise<string | undefined> {
  const fault = await redis.look();
  if (fault) throw toHealthFault(fault);
  const infos = await redis.infos();
  const felt = problemsOf(infos, maxBytes).filter(({ effect }) => effect);
  if (felt.length > 0)
    throw new HealthFault(felt.map(({ text }) => text).join('; '));
  return infos ? undefined : 'unknown: the user of Redis may not run INFO';
}

const toHealthFault = ({ name, meaning }: RedisFault): HealthFault =>
  new HealthFault(`${name}: ${meaning}`);

@Injectable()
export class RedisHealth implements OnModuleInit {
  constructor(
    private readonly registry: HealthRegistry,
    private readonly connections: RedisConnections,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    checkRedis(this.registry, this.connections, this.config);
  }
}
