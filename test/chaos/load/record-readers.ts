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
  goesOn: () => boolean,
): Promise<void> {
  while (goesOn()) {
    for (const story of stories) {
      // Of a thousand only some, so that reading costs less than the runs. Final records are read too, as they may not change.
      if (story.id === undefined) continue;
      if (!random.chance(story.isOver ? 0.02 : 0.5)) continue;
      await caller.read(story, random.between(0, APIS - 1));
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
  story: ObservedRun,
  n: number,
): Promise<void> {
  story.record = await caller.read(story, n % APIS);
  if (!story.record || !story.isOver) return;
  story.log = await caller.attempt(() =>
    all(caller.open(story, (n + 1) % APIS).events(undefined, story.limit)),
  );
}
