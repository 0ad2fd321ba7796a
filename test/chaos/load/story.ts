import type { Frame } from '../../support/client';
import type { FollowPlan, SubmissionPlan } from '../schedule';

/** The part of a record that is checked. */
export interface SeenRecord {
  status: string;
  output_text: string | null;
  upstream_response_id: string | null;
  error: { code: string } | null;
  started_at: string | null;
  completed_at: string | null;
}

/** What one follower got, over all its connections. */
export interface FollowerLog {
  plan: FollowPlan;
  frames: Frame[];
  connections: number;
  /** Its latest connection: to which API, when, and how far that came. */
  at: string;
  /** It was told that the invocation is gone. */
  gone: boolean;
}

/** What was seen of one invocation, from its plan to its end. */
export class Story {
  /** Set once a reply has acknowledged it. */
  id?: string;
  /** Every id that a reply has named: one, if all is well. */
  readonly ids = new Set<string>();
  readonly tokens: string[] = [];
  /** Records that came as the reply to a submission in the foreground. */
  readonly replies: SeenRecord[] = [];
  readonly statuses: string[] = [];
  readonly followers: FollowerLog[] = [];
  /** The reply to its submission was lost, so that it may have been accepted under an id that nobody knows. */
  lost = false;
  /** A submission without a key was refused, perhaps when it had been begun already. */
  refused = false;
  /** A stop was sent, and acknowledged. */
  stopSent = false;
  stopped = false;
  /** What contradicts the contract at first sight. */
  readonly complaints: string[] = [];
  /** The name of its run at the upstream, once a record has told it. */
  upstreamId: string | null = null;
  record?: SeenRecord;
  log?: Frame[];

  /** Aborts when patience is at its end. One for each story: a signal with thousands of listeners is slow. */
  limit: AbortSignal;

  constructor(
    limit: AbortSignal,
    readonly marker: string,
    /** Undefined: it came out of a chat. */
    readonly plan?: SubmissionPlan,
  ) {
    this.limit = AbortSignal.any([limit]);
  }

  get deleted(): boolean {
    return this.stopSent && this.plan?.stop?.how === 'delete';
  }

  /** Told the id, once. */
  onAcknowledged?: (id: string) => void;

  acknowledge(id: string, token: string): void {
    if (this.id === undefined) this.onAcknowledged?.(id);
    this.id ??= id;
    this.ids.add(id);
    this.tokens.push(token);
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
