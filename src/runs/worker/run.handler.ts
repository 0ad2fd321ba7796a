import type { Claim, Finish } from '../store/run-claim';
import type { ActiveRun } from './active-run';
import type { Outcome } from './run-outcome';

/** Whether a run may begin now, and for how long it may take; or when to ask again. */
export type Admittance = { timeLimitMs: number } | { retryMs: number };

/** What a worker process adds to a `RunKind`: how its runs are carried out. */
export interface RunHandler {
  /** @param rank of its priority, see JOB_PRIORITY. */
  admit(id: string, rank: number): Promise<Admittance>;
  /** Carries a run from whatever point its record has reached to its end. */
  run(claim: Claim, run: ActiveRun): Promise<Outcome>;
  /** Ends a run that has crashed too many workers, without reading what may have crashed them. */
  abandon(claim: Claim): Promise<Finish>;
}
