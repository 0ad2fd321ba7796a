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

/** Pairs that a caller keeps with a run. */
export type RunMetadata = Record<string, string>;

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

/** What the runs have used that a run continues, which it does not pay for again. */
export interface Inherited {
  usage: Usage;
  /** Null where it is not known. */
  cost_usd: number | null;
}

/** What a run costs. */
export interface Cost {
  currency: 'USD';
  /** Of the plan, before anything is searched; null without one, or where a model has no price. */
  estimated: number | null;
  /** The most that calls under way cost; null where no model of the run has a price. */
  reserved: number | null;
  spent: number;
  /** Who reports it: the gateway, or the configured prices. */
  source: CostSource;
}

export const COST_SOURCES = ['gateway', 'prices'] as const;
export type CostSource = (typeof COST_SOURCES)[number];

/** What a run may use at most. Null: not limited by this service. */
export interface RunLimits {
  max_searches: number | null;
  max_pages: number | null;
  max_tokens: number | null;
  max_seconds: number;
  max_cost_usd: number | null;
}

export interface Progress {
  searches: number;
  pages_opened: number;
  last_step: string | null;
}

/** The steps of a run with a journal. */
export interface Steps {
  settled: number;
  repeated: number;
  skipped: number;
  /** Attempts that may have had their effect, and their price, without a result; the first hundred. */
  ambiguous: string[];
}
