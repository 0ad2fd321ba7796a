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

export type ProgressKind =
  | 'web_search'
  | 'open_page'
  | 'find_in_page'
  | 'code_interpreter'
  | 'mcp'
  | 'file_search'
  | 'reasoning'
  | 'tool'
  // For the model endpoint, which cannot be reached or limits requests.
  | 'waiting';

export interface ProgressData {
  kind: ProgressKind;
  detail: string;
  /** How much of how much is done, if the tool reports it. */
  progress?: number;
  total?: number;
}

/** What happened, as the event log keeps it. `status`, `requires_action` and the last event are written by the record itself. */
export type RunEvent =
  | { type: 'progress'; data: ProgressData }
  | { type: 'output_text'; data: { text: string } }
  // A chat has its own, see the room of chats.
  | { type: ChatEventType; data: unknown };

type ChatEventType = 'delta' | 'tool_call' | 'tool_progress' | 'tool_result';

/** One entry of an event log. `seq` starts at 1 and has no gaps; it is the cursor of the event stream. */
export interface LogEvent {
  seq: number;
  type:
    | 'status'
    | 'progress'
    | 'output_text'
    | ChatEventType
    | 'requires_action'
    | 'completed'
    | 'error';
  status: Status;
  /** JSON. */
  data: string;
}

export function endsLog(event: LogEvent): boolean {
  return event.type === 'completed' || event.type === 'error';
}
