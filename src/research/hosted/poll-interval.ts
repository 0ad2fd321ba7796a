import type { ActiveRun } from '../../runs/worker/active-run';
import { Rescheduled } from '../../runs/worker/run-outcome';

const FIRST_MS = 1_000;
const MAX_MS = 15_000;
/** Releasing a run and claiming it again costs more than holding it for a shorter time. */
const MIN_RESCHEDULE_MS = 15_000;

/** The time between two polls of a run without a subscriber. It grows with the age of the run and is jittered. */
export function pollIntervalMs(ageMs: number, minMs = FIRST_MS): number {
  const ms = Math.max(Math.min(ageMs / 8, MAX_MS), minMs);
  return ms * (0.75 + Math.random() / 2);
}

/** Releases the run until its next poll. */
export function rescheduled(run: ActiveRun): Rescheduled {
  return new Rescheduled(pollIntervalMs(run.ageMs, MIN_RESCHEDULE_MS));
}
