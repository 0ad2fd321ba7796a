import type { Priority } from '../record/run';

/** BullMQ takes the lowest number first; 0, its default, would come before all of these. */
export const JOB_PRIORITY: Record<Priority, number> = {
  high: 1,
  normal: 2,
  low: 3,
};

/** All that a job carries. */
export interface RunJob {
  invocation_id: string;
}

/** A job fails only if its worker could not do its bookkeeping; how a run ended is on its record. */
export const JOB_ATTEMPTS = 10;
export const JOB_OPTIONS = {
  attempts: JOB_ATTEMPTS,
  backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
  removeOnComplete: { age: 3_600, count: 1_000 },
  removeOnFail: { age: 86_400, count: 1_000 },
  stackTraceLimit: 0,
};

/** The newest lines of a job's log that are kept, whatever happens to it. */
export const JOB_LOG_LINES = 50;

/** Of the workers of every queue of runs. */
export function workerOptions(concurrency: number, leaseMs: number) {
  return {
    concurrency,
    lockDuration: leaseMs,
    stalledInterval: leaseMs / 2,
    // The record counts how often a run has lost its worker, and why.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  };
}
