import { setTimeout as sleep } from 'node:timers/promises';
import { all } from '../../support/client';
import { Caller } from './caller';
import { APIS } from '../faults';
import type { Fleet } from '../fleet/fleet';
import type { Random } from '../random';
import type { ObservedRun } from './observed-run';

/** Concurrent readers at the end; sequential ones would wait most of the time. */
const READERS = 4;
const READING_MS = 60_000;

/** Polls records one read after the other, so that the observations have an order. */
export async function sample(
  caller: Caller,
  stories: readonly ObservedRun[],
  random: Random,
  continues: () => boolean,
): Promise<void> {
  while (continues()) {
    for (const observedRun of stories) {
      // Of a thousand only some, so that reading costs less than the runs. Final records are read too, as they may not change.
      if (observedRun.id === undefined) continue;
      if (!random.chance(observedRun.isOver ? 0.02 : 0.5)) continue;
      await caller.read(observedRun, random.between(0, APIS - 1));
    }
    await sleep(random.between(100, 400));
  }
}

/** The final reads of every record and its log, from one API and the other. */
export async function readAll(
  fleet: Fleet,
  stories: readonly ObservedRun[],
): Promise<void> {
  // Also after the time limit: the records show why.
  const limit = AbortSignal.timeout(READING_MS);
  const caller = new Caller(fleet, limit);
  const left = stories.entries();
  const reader = async (): Promise<void> => {
    for (const [n, story] of left) {
      story.limit = AbortSignal.any([limit]);
      if (story.id !== undefined) await readWhole(caller, story, n);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
}

async function readWhole(
  caller: Caller,
  observedRun: ObservedRun,
  n: number,
): Promise<void> {
  observedRun.record = await caller.read(observedRun, n % APIS);
  if (!observedRun.record || !observedRun.isOver) return;
  observedRun.log = await caller.attempt(() =>
    all(
      caller
        .open(observedRun, (n + 1) % APIS)
        .events(undefined, observedRun.limit),
    ),
  );
}
