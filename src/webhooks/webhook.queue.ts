import { ATTEMPTS } from './webhook.backoff';

/** The queue, and the name of its jobs on the dashboard. */
export const WEBHOOK_QUEUE = 'webhooks';
export const WEBHOOK_JOB = 'webhook';

/** All that a job carries: URL and secret are never in the queue. */
export interface WebhookJob {
  invocation_id: string;
}

export const JOB_OPTIONS = {
  attempts: ATTEMPTS,
  // How long each pause is says the processor.
  backoff: { type: 'custom' },
  removeOnComplete: { age: 3_600, count: 1_000 },
  // What was given up can be looked at, and tried again, for 30 days.
  removeOnFail: { age: 30 * 86_400 },
  stackTraceLimit: 0,
};
