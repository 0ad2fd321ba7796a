import type { Queue } from 'bullmq';
import { ifPermitted } from '../../redis/state/redis-faults';

/** How many workers serve the queue; undefined if this user may not list connections. */
export function workersOf(queue: Queue): Promise<number | undefined> {
  return ifPermitted(queue.getWorkersCount());
}
