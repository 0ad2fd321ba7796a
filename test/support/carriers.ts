import { Queue } from 'bullmq';
import { QUEUE_PREFIX } from '../../src/queue-options';
import type { RedisConnections } from '../../src/redis/redis-connections';
import { Carriers } from '../../src/tool-invocations/carriers';
import { TOOL_QUEUE } from '../../src/tool-invocations/tool.queue';

/** Who brings invocations to workers, without any: what they would be given is in the queue. */
export function carriersOn({ commands }: RedisConnections): {
  carriers: Carriers;
  queue: Queue;
} {
  const queue = new Queue(TOOL_QUEUE, {
    connection: commands,
    prefix: QUEUE_PREFIX,
    skipVersionCheck: true,
  });
  return { carriers: new Carriers(queue), queue };
}
