import type { SharedBullAsyncConfiguration } from '@nestjs/bullmq';
import { RedisConnections } from './redis/redis-connections';

/** The braces keep all keys of a queue in one slot of a Cluster. */
export const QUEUE_PREFIX = '{sonde}';

export const queueOptions: SharedBullAsyncConfiguration = {
  inject: [RedisConnections],
  useFactory: ({ commands }: RedisConnections) => ({
    connection: commands,
    prefix: QUEUE_PREFIX,
  }),
};
