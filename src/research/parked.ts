import type { HeldRun } from './held-run';

const FIRST_MS = 1_000;
const MOST_MS = 15_000;
/** To let go of a run for less is not worth it. */
const LEAST_MS = 3_000;

/** A run that goes on at the upstream while no worker holds it, until somebody looks at it again. */
export class Parked {
  constructor(readonly dueMs: number) {}
}

/** How long to leave a run alone that nobody attends to: longer, the longer it takes; never two alike. */
export function pollIntervalMs(ageMs: number): number {
  const ms = Math.min(Math.max(ageMs / 8, FIRST_MS), MOST_MS);
  return ms * (0.75 + Math.random() / 2);
}

/** Put off to its next look. */
export function parkedFor(run: HeldRun): Parked {
  return new Parked(Math.max(pollIntervalMs(run.ageMs), LEAST_MS));
}
