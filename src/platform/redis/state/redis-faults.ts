import { types } from 'node:util';

/** A state in which Redis does not carry out what the service asks of it. */
export interface RedisFault {
  /** In health checks. */
  readonly name: string;
  /** In the log and the report of the doctor: what is wrong, and what its operator can do. */
  readonly meaning: string;
  /** Reads are answered; without them the process can do nothing. */
  readonly reads?: true;
  /** Another server may be behind the same address by now, so the connection is renewed. */
  readonly elsewhere?: true;
}

export const UNREACHABLE: RedisFault = {
  name: 'unreachable',
  meaning: 'Redis cannot be reached',
};

export const NOT_PERMITTED: RedisFault = {
  name: 'not_permitted',
  meaning:
    'Redis does not permit the user of REDIS_URL what the service needs: commands, keys or channels (ACL)',
};

const LOGIN_REFUSED: RedisFault = {
  name: 'login_refused',
  meaning: 'Redis refuses the user or the password of REDIS_URL',
};

const READ_ONLY: RedisFault = {
  name: 'read_only',
  meaning:
    'Redis is a read-only replica: REDIS_URL has to lead to the primary, as it will again after a failover',
  elsewhere: true,
};

/** By the first word of a reply. */
const BY_CODE: Record<string, RedisFault> = {
  READONLY: READ_ONLY,
  MASTERDOWN: READ_ONLY,
  OOM: {
    name: 'memory_full',
    meaning: 'Redis accepts no writes: its memory is full (maxmemory)',
    reads: true,
  },
  MISCONF: {
    name: 'disk_error',
    meaning:
      'Redis accepts no writes: it cannot write to its disk (MISCONF); is the disk full?',
    reads: true,
  },
  NOREPLICAS: {
    name: 'too_few_replicas',
    meaning:
      'Redis accepts no writes: fewer replicas than min-replicas-to-write are connected',
    reads: true,
  },
  LOADING: { name: 'loading', meaning: 'Redis is loading its data' },
  CLUSTERDOWN: {
    name: 'cluster_down',
    meaning: 'The Redis Cluster does not serve all slots',
  },
  NOPERM: NOT_PERMITTED,
  NOAUTH: LOGIN_REFUSED,
  WRONGPASS: LOGIN_REFUSED,
};

/** Before version 7, the refusal of a command in a script is within another reply. */
const IN_SCRIPT = String.raw`(?:ERR Error running script .*: -)?`;
const CODE = new RegExp(`^${IN_SCRIPT}(${Object.keys(BY_CODE).join('|')}) `);
/** The refusal of a command in a script has no code of its own. */
const DENIED_IN_SCRIPT =
  /^ERR (Error running script .*)?(The user executing the script can't|ACL failure in script)/;

/** Errors of ioredis. */
const NAMES = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError']);
const MESSAGES =
  /^(Stream isn't writeable and enableOfflineQueue|Cluster isn't ready and enableOfflineQueue|Command timed out|Command aborted due to|Connection is closed|Connection is in closing state)/;
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

/** Nothing can be done with a Redis in this state. */
export class RedisRefusal extends Error {
  override readonly name = 'RedisRefusal';

  constructor(readonly fault: RedisFault) {
    super(fault.meaning);
  }
}

/** What an error of ioredis or BullMQ says about Redis. Undefined: nothing, so it is a bug of ours. */
export function faultOf(error: unknown): RedisFault | undefined {
  if (!types.isNativeError(error)) return undefined;
  if (error instanceof RedisRefusal) return error.fault;
  const { message } = error;
  const code = CODE.exec(message)?.[1];
  if (code !== undefined) return BY_CODE[code];
  if (DENIED_IN_SCRIPT.test(message)) return NOT_PERMITTED;
  if (isLost(error)) return UNREACHABLE;
  return causesOf(error).map(faultOf).find(Boolean);
}

function isLost(error: NodeJS.ErrnoException): boolean {
  const { name, message, code, syscall } = error;
  return (
    NAMES.has(name) ||
    MESSAGES.test(message) ||
    (code !== undefined && NETWORK.has(code)) ||
    // The socket file of an embedded server that has exited.
    (code === 'ENOENT' && syscall === 'connect')
  );
}

/** A name with several addresses fails once for each; a transaction fails because its commands were refused. */
function causesOf(error: Error): unknown[] {
  const { previousErrors } = error as { previousErrors?: unknown[] };
  if (error instanceof AggregateError) return error.errors;
  return previousErrors ?? [];
}

/** What a command for information returns; undefined if the user may not run it, which nothing else depends on. */
export async function ifPermitted<T>(
  command: Promise<T>,
): Promise<T | undefined> {
  try {
    return await command;
  } catch (error) {
    if (faultOf(error) === NOT_PERMITTED) return undefined;
    throw error;
  }
}
