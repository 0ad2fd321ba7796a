import { types } from 'node:util';

const NAMES = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError']);

const MESSAGES =
  /^(Stream isn't writeable and enableOfflineQueue|Cluster isn't ready and enableOfflineQueue|Command timed out|Command aborted due to|Connection is closed|Connection is in closing state|(OOM|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|MISCONF|NOREPLICAS) )/;

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'NR_CLOSED',
]);

/** Whether an error, from ioredis or BullMQ, means that Redis is unavailable now, rather than a bug of ours. */
export function isRedisUnavailable(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  // A name with several addresses fails once for each.
  if (error instanceof AggregateError)
    return error.errors.some(isRedisUnavailable);
  const { code, syscall } = error as NodeJS.ErrnoException;
  return (
    NAMES.has(error.name) ||
    MESSAGES.test(error.message) ||
    (code !== undefined && NETWORK.has(code)) ||
    // The socket file of an embedded server that has exited.
    (code === 'ENOENT' && syscall === 'connect')
  );
}
