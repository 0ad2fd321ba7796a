import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RedisConnections } from '../../redis/redis-connections';
import type { RedisFault } from '../../redis/state/redis-faults';
import { problemsOf } from '../../redis/state/redis-problems';
import { HealthFault, HealthRegistry } from './health-registry';

/** Nothing can be accepted or read without Redis; while it takes no writes, what it holds is still served. */
export function checkRedis(
  registry: HealthRegistry,
  redis: RedisConnections,
): void {
  registry.register(
    'redis',
    async () => {
      const fault = await redis.look();
      if (fault && !fault.reads) throw toHealthFault(fault);
    },
    { critical: true },
  );
  registry.register('storage', () => storage(redis), { critical: false });
}

async function storage(redis: RedisConnections): Promise<string | undefined> {
  const fault = await redis.look();
  if (fault) throw toHealthFault(fault);
  const infos = await redis.infos();
  const losses = problemsOf(infos).filter(({ loses }) => loses);
  if (losses.length > 0)
    throw new HealthFault(losses.map(({ text }) => text).join('; '));
  return infos ? undefined : 'unknown: the user of Redis may not run INFO';
}

const toHealthFault = ({ name, meaning }: RedisFault): HealthFault =>
  new HealthFault(`${name}: ${meaning}`);

@Injectable()
export class RedisHealth implements OnModuleInit {
  constructor(
    private readonly registry: HealthRegistry,
    private readonly connections: RedisConnections,
  ) {}

  onModuleInit(): void {
    checkRedis(this.registry, this.connections);
  }
}
