import type { ErrorCode } from '../../platform/errors';
import type { FinalStatus } from '../record/run';
import type { ClaimedFields, FieldsOf } from '../record/run-fields';
import { pairs } from './run-reader';

/** A worker's hold on a run, with the fields `F` of its kind. Writes with an older fence are refused. */
export interface Claim<F extends string = never> {
  id: string;
  fence: string;
  fields: ClaimedFields<F>;
  /** What was already written of the output. */
  text: string;
  /** Milliseconds until the time limit of the run, by the server's clock. */
  remainingMs: number;
  /** Since it was begun, in milliseconds. */
  ageMs: number;
  /** For how many milliseconds its events surely have a reader. */
  followedMs: number;
  /** How many workers disappeared while they held this run, since its last progress. */
  crashes: number;
  crashesInAll: number;
  /** Of `crashes`, the last in a row whose workers carried no other suspect. */
  crashesAlone: number;
  /** The worker before this one disappeared. */
  tookOver: boolean;
  /** It does not go on after a wait of the attempt before. */
  begins: boolean;
}

export type ClaimOutcome =
  | { kind: 'claimed'; claim: Claim }
  | { kind: 'held'; forMs: number }
  /** `too_new`: only workers of a newer version of the service may have it. */
  | { kind: 'waiting' | 'final' | 'missing' | 'too_new' };

/** What a worker learns when it renews its lease. */
export interface Heartbeat {
  cancelled: boolean;
  followedMs: number;
  /** Since the last progress of the run. */
  crashes: number;
}

export function toHeartbeat([outcome, cancel, followedMs, crashes]: unknown[]):
  Heartbeat | undefined {
  if (outcome !== 'ok') return undefined;
  return {
    cancelled: cancel === '1',
    followedMs: Number(followedMs),
    crashes: Number(crashes),
  };
}

/** `deleted`: the run is to be removed, but not before its attachments are. */
export type FinishOutcome =
  'ok' | 'final' | 'fenced' | 'held' | 'missing' | 'deleted';

/** The reply of the script to a claim. */
export function toClaimOutcome(
  id: string,
  [kind, number, fields, text, lost, begins]: unknown[],
): ClaimOutcome {
  if (kind === 'held') return { kind, forMs: Number(number) };
  if (kind !== 'claimed')
    return { kind: kind as 'waiting' | 'final' | 'missing' | 'too_new' };
  const record = pairs(fields as string[]) as ClaimedFields;
  const claim: Claim = {
    id,
    fence: record.fence ?? '',
    fields: record,
    text: String(text),
    remainingMs: Number(record.deadline_ms) - Number(number),
    ageMs: Number(number) - Number(record.started_ms),
    followedMs: Number(record.followed_ms ?? 0) - Number(number),
    crashes: Number(record.crashes),
    // Of a record whose crashes an earlier release has counted.
    crashesInAll: Number(record.crashes_in_all ?? record.crashes),
    crashesAlone: Number(record.crashes_alone ?? 0),
    tookOver: lost === 1,
    begins: begins === 1,
  };
  return { kind: 'claimed', claim };
}

export type CancelOutcome =
  'final' | 'cancelled' | 'requested' | 'unheld' | 'missing';

export interface Finish {
  status: FinalStatus;
  error?: { code: ErrorCode; message: string };
  fields?: FieldsOf<string>;
  model?: string;
  /** For the log. */
  tokens?: number;
  /** What it cost, for the log. */
  usd?: number;
}
