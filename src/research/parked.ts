import type { HeldRun } from './held-run';

const FIRST_MS = 1_000;
const MOST_MS = 15_000;
/** A run whose next look comes sooner is not worth letting go of. */
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

/** Undefined: it is not worth it. */
export function parkedFor(run: HeldRun): Parked | undefined {
  const ms = pollIntervalMs(run.ageMs);
  return ms >= LEAST_MS ? new Parked(ms) : undefined;
}
