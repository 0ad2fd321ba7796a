import type { SharedBullAsyncConfiguration } from '@nestjs/bullmq';
import { RedisConnections } from '../redis/redis-connections';

/** The braces keep all keys of a queue in one slot of a Cluster. */
export const QUEUE_PREFIX = '{sonde}';

const optionsOf = ({ commands }: RedisConnections) => ({
  connection: commands,
  prefix: QUEUE_PREFIX,
  // It would print what it thinks of the server in the middle of the log; the doctor says the same.
  skipVersionCheck: true,
});

export const queueOptions: SharedBullAsyncConfiguration = {
  inject: [RedisConnections],
  useFactory: optionsOf,
};

/** For who only looks: a queue writes its version into Redis when it is opened. */
export const readOnlyQueueOptions: SharedBullAsyncConfiguration = {
  inject: [RedisConnections],
  useFactory: (connections: RedisConnections) => ({
    ...optionsOf(connections),
    skipMetasUpdate: true,
  }),
};
