import { Queue } from 'bullmq';
import { QUEUE_PREFIX } from '../../src/app/queue-options';
import type { RedisConnections } from '../../src/platform/redis/redis-connections';
import { RunDispatcher } from '../../src/runs/queue/run-dispatcher';
import { RunKinds } from '../../src/runs/queue/run-kinds';
import { TOOL_QUEUE } from '../../src/tool-invocations/execution/tool-kind';

/** The default kind of run without workers, so that deliveries stay in the queue. */
export function kindsOn({ commands }: RedisConnections): {
  kinds: RunKinds;
  queue: Queue;
} {
  const queue = new Queue(TOOL_QUEUE, {
    connection: commands,
    prefix: QUEUE_PREFIX,
    skipVersionCheck: true,
  });
  const kinds = new RunKinds();
  const dispatcher = new RunDispatcher(queue, TOOL_QUEUE);
  kinds.registerDefault({ name: TOOL_QUEUE, dispatcher });
  return { kinds, queue };
}
