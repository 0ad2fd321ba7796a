import type { AppConfig } from '../config';
import type { Environment } from '../environment';

const DAY = 24 * 60 * 60;
const YEAR = 365 * DAY;
const MB = 1024 * 1024;
const RUN_TIMEOUT = 'RELAY_RESEARCH_TIMEOUT_SECONDS';

/** What governs every run: its retention, its capacity, its lease and its limits. */
export function readRuns(env: Environment): AppConfig['runs'] {
  return {
    maxWaitMs: readMaxWait(env),
    maxUnfinished: env.integer('RELAY_MAX_INVOCATIONS', 1024, 1, 1_000_000),
    maxOutputBytes: env.integer(
      'RELAY_MAX_STREAM_BYTES',
      1_000_000,
      1,
      64_000_000,
    ),
    retentionMs: env.seconds('RELAY_RETENTION_SECONDS', 7 * DAY, 1, YEAR),
    leaseMs: env.seconds('RESEARCH_LEASE_SECONDS', 30, 1, 600),
    memoryBytes: env.integer('RESEARCH_MEMORY_MB', 1536, 64, 1_000_000) * MB,
    rewriteAfterDelete: env.flag('RELAY_REWRITE_AFTER_DELETE', false),
    redisMaxBytes: readRedisMaxBytes(env),
  };
}

/** Where only the time limit of a run is set, a request waits as long: both were one setting in earlier versions. */
function readMaxWait(env: Environment): number {
  const isSet = env.optional(RUN_TIMEOUT) !== undefined;
  const fallback = isSet ? env.seconds(RUN_TIMEOUT, 0, 1, DAY) / 1000 : 300;
  return env.seconds('RELAY_CHAT_WAIT_SECONDS', fallback, 1, DAY);
}

function readRedisMaxBytes(env: Environment): number | undefined {
  const name = 'RELAY_REDIS_MAX_MEMORY_MB';
  if (env.optional(name) === undefined) return undefined;
  return env.integer(name, 1_000, 1, 10_000_000) * MB;
}
