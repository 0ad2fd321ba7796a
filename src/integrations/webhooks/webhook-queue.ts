import { ATTEMPTS } from './webhook-backoff';

/** The queue, and the name of its jobs on the dashboard. */
export const WEBHOOK_QUEUE = 'webhooks';
export const WEBHOOK_JOB = 'webhook';

/** The content of a job: URL and secret are never in the queue. */
export interface WebhookJob {
  /** Whose end is announced. */
  invocation_id?: string;
  /** Or who waits for a decision: processes of an earlier version announce nothing of it. */
  waiting_id?: string;
  /** Since when, in ms. */
  since_ms?: number;
}

export const JOB_OPTIONS = {
  attempts: ATTEMPTS,
  // The processor computes each delay.
  backoff: { type: 'custom' },
  removeOnComplete: { age: 3_600, count: 1_000 },
  // Failed deliveries are kept for 30 days, to be inspected and retried.
  removeOnFail: { age: 30 * 86_400 },
  stackTraceLimit: 0,
};
