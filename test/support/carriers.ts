import { Queue } from 'bullmq';
import { QUEUE_PREFIX } from '../../src/app/queue-options';
import type { RedisConnections } from '../../src/redis/redis-connections';
import { DispatcherRegistry } from '../../src/runs/queue/dispatcher.registry';
import { TOOL_QUEUE } from '../../src/tool-invocations/execution/tool.queue';

/** Who brings invocations to workers, without any: what they would be given is in the queue. */
export function carriersOn({ commands }: RedisConnections): {
  carriers: DispatcherRegistry;
  queue: Queue;
} {
  const queue = new Queue(TOOL_QUEUE, {
    connection: commands,
    prefix: QUEUE_PREFIX,
    skipVersionCheck: true,
  });
  return { carriers: new DispatcherRegistry(queue), queue };
}
