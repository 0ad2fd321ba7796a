export const MODES = ['foreground', 'background', 'stream'] as const;
export type Mode = (typeof MODES)[number];

/** Which of several waiting runs begins first. */
export const PRIORITIES = ['high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const STATUSES = [
  'queued',
  'running',
  // Until a person has decided something.
  'requires_action',
  'completed',
  'incomplete',
  'failed',
  'cancelled',
] as const;
export type Status = (typeof STATUSES)[number];
export type FinalStatus = Exclude<
  Status,
  'queued' | 'running' | 'requires_action'
>;

/** A worker has it, or is to get it. */
export function isUnderWay(status: Status): status is 'queued' | 'running' {
  return status === 'queued' || status === 'running';
}

const FINAL: readonly Status[] = [
  'completed',
  'incomplete',
  'failed',
  'cancelled',
];

/** Not so of a status that only a newer version of the service knows: nothing is concluded from that. */
export function isFinal(status: Status): status is FinalStatus {
  return FINAL.includes(status);
}

export function isKnown(status: string): status is Status {
  return STATUSES.some((known) => known === status);
}

/** Whether the end has been announced to the webhook. */
export const WEBHOOK_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  /** Calls of hosted tools, e.g. searches. */
  tool_calls: number;
}

export interface Progress {
  searches: number;
  pages_opened: number;
  last_step: string | null;
}
