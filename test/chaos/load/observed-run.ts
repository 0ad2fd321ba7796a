import type { Frame } from '../../support/client';
import type { JournalSums } from '../../support/agent/agent-journal';
import type { FollowPlan, SubmissionPlan } from '../schedule';

/** The part of a record that is checked. */
export interface SeenRecord {
  status: string;
  output_text: string | null;
  upstream_response_id: string | null;
  error: { code: string } | null;
  started_at: string | null;
  completed_at: string | null;
  usage: { input_tokens: number; output_tokens: number } | null;
  cost: { spent: number } | null;
  /** Of a run of the agent. */
  steps?: { settled: number; skipped: number; ambiguous: string[] } | null;
}

/** The events that one follower received, over all its connections. */
export interface FollowerLog {
  plan: FollowPlan;
  frames: Frame[];
  connections: number;
  /** Its latest connection: to which API, when, and how far it read. */
  at: string;
  /** It received a response that the invocation no longer exists. */
  gone: boolean;
}

/** The observations of one invocation, from its plan to its end. */
export class ObservedRun {
  /** Set once a reply has acknowledged it. */
  id?: string;
  /** Every id that a reply has named: exactly one unless there is a fault. */
  readonly ids = new Set<string>();
  readonly tokens: string[] = [];
  /** Records that came as the reply to a submission in the foreground. */
  readonly replies: SeenRecord[] = [];
  readonly statuses: string[] = [];
  readonly followers: FollowerLog[] = [];
  /** The reply to its submission was lost, so that it may have been accepted under an unknown id. */
  lost = false;
  /** A submission without a key was rejected, perhaps after it had begun. */
  refused = false;
  /** A cancellation or deletion was sent, and acknowledged. */
  stopSent = false;
  stopped = false;
  /** Direct violations of the contract. */
  readonly complaints: string[] = [];
  /** The id of its run at the upstream, once a record has it. */
  upstreamId: string | null = null;
  record?: SeenRecord;
  log?: Frame[];
  /** Of a run of the agent. */
  journal?: JournalSums;

  /** Aborts at the time limit. One for each invocation: a signal with thousands of listeners is slow. */
  limit: AbortSignal;

  constructor(
    limit: AbortSignal,
    readonly marker: string,
    /** Undefined for an invocation that a chat has started. */
    readonly plan?: SubmissionPlan,
  ) {
    this.limit = AbortSignal.any([limit]);
  }

  get deleted(): boolean {
    return this.stopSent && this.plan?.stop?.how === 'delete';
  }

  /** Called with the id, once. */
  onAcknowledged?: (id: string) => void;

  /** @param token undefined: the API key opens it. */
  acknowledge(id: string, token?: string): void {
    if (this.id === undefined) this.onAcknowledged?.(id);
    this.id ??= id;
    this.ids.add(id);
    if (token !== undefined) this.tokens.push(token);
  }

  saw({ status, upstream_response_id: upstreamId }: SeenRecord): void {
    if (this.statuses.at(-1) !== status) this.statuses.push(status);
    if (this.upstreamId !== null && upstreamId !== this.upstreamId)
      this.complaints.push(`was run ${this.upstreamId}, then ${upstreamId}`);
    this.upstreamId ??= upstreamId;
  }

  get isOver(): boolean {
    return isFinal(this.statuses.at(-1) ?? '');
  }
}

const FINAL = ['completed', 'incomplete', 'failed', 'cancelled'];

export function isFinal(status: string): boolean {
  return FINAL.includes(status);
}

/** `status`, or `status/code`. */
export function endOf({ status, error }: SeenRecord): string {
  return error ? `${status}/${error.code}` : status;
}

export function endsLog({ event }: Frame): boolean {
  return event === 'completed' || event === 'error';
}
