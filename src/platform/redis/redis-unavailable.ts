import { faultOf } from './state/redis-faults';

/** Whether an error, from ioredis or BullMQ, means that Redis is unavailable now, rather than a bug of ours. */
export function isRedisUnavailable(error: unknown): boolean {
  return faultOf(error) !== undefined;
}
