import type { SharedBullAsyncConfiguration } from '@nestjs/bullmq';
import { RedisConnections } from '../platform/redis/redis-connections';

/** The braces keep all keys of a queue in one hash slot of a Cluster. */
export const QUEUE_PREFIX = '{sonde}';

const optionsOf = ({ commands }: RedisConnections) => ({
  connection: commands,
  prefix: QUEUE_PREFIX,
  // BullMQ would print a warning between the lines of the log; the doctor reports the same.
  skipVersionCheck: true,
});

export const queueOptions: SharedBullAsyncConfiguration = {
  inject: [RedisConnections],
  useFactory: optionsOf,
};

/** For processes that only read: opening a queue writes its version to Redis. */
export const readOnlyQueueOptions: SharedBullAsyncConfiguration = {
  inject: [RedisConnections],
  useFactory: (connections: RedisConnections) => ({
    ...optionsOf(connections),
    skipMetasUpdate: true,
  }),
};
