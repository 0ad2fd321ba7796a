import type { ActiveRun } from '../../runs/worker/active-run';
import { Rescheduled } from '../../runs/worker/run.outcome';

const FIRST_MS = 1_000;
const MOST_MS = 15_000;
/** To let go of a run and to take it up again costs more than to hold it for so long. */
const PARKED_LEAST_MS = 15_000;

/** How long to leave a run alone that nobody attends to: longer, the longer it takes; never two alike. */
export function pollIntervalMs(ageMs: number, leastMs = FIRST_MS): number {
  const ms = Math.max(Math.min(ageMs / 8, MOST_MS), leastMs);
  return ms * (0.75 + Math.random() / 2);
}

/** Put off to its next look. */
export function parkedFor(run: ActiveRun): Rescheduled {
  return new Rescheduled(pollIntervalMs(run.ageMs, PARKED_LEAST_MS));
}
