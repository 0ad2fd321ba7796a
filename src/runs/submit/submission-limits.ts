import type { KeptLimits } from '../store/kept-runs.store';

/** A submission as limits see it. */
export interface CountedRun {
  readonly id: string;
  readonly account: string;
  readonly isResearch: boolean;
  /** It begins later, at a time that its caller chose. */
  readonly isParked: boolean;
  /** Of what the record is created with. */
  readonly bytes: number;
  /** An accepted run repeats it until it succeeds, so it is counted but never refused. */
  readonly isForced: boolean;
}

/** What an account may submit. A process that provides none has no such limits. */
export abstract class SubmissionLimits {
  /**
   * Safe to repeat with the same id.
   * @throws AppError `rate_limited` that names the limit.
   */
  abstract admit(run: CountedRun): Promise<void>;

  /** For how long the account keeps its records, if not as long as the service does; in milliseconds. */
  abstract retentionMs(account: string): number | undefined;

  /** What the account may keep beyond that. */
  abstract kept(account: string): KeptLimits;

  /** The run of this id was not accepted. */
  abstract release(id: string, account: string): Promise<void>;
}
