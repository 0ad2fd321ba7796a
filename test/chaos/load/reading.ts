import { setTimeout as sleep } from 'node:timers/promises';
import { all } from '../../support/client';
import { Caller } from './caller';
import { APIS } from '../faults';
import type { Fleet } from '../fleet/fleet';
import type { Random } from '../random';
import type { Story } from './story';

/** Readers at the end; one after the other they would wait most of the time. */
const READERS = 4;
const READING_MS = 60_000;

/** Looks at records again and again, one read after the other, so that what is seen has an order. */
export async function sample(
  caller: Caller,
  stories: readonly Story[],
  random: Random,
  goesOn: () => boolean,
): Promise<void> {
  while (goesOn()) {
    for (const story of stories) {
      // Of a thousand only some: reading must not cost more than what is read about. A final record may not change either.
      if (story.id === undefined) continue;
      if (!random.chance(story.isOver ? 0.02 : 0.5)) continue;
      await caller.read(story, random.between(0, APIS - 1));
    }
    await sleep(random.between(100, 400));
  }
}

/** The last word on every record and its log, from one API and the other. */
export async function readAll(
  fleet: Fleet,
  stories: readonly Story[],
): Promise<void> {
  // Also where patience came to its end before: the records tell why.
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
  story: Story,
  n: number,
): Promise<void> {
  story.record = await caller.read(story, n % APIS);
  if (!story.record || !story.isOver) return;
  story.log = await caller.attempt(() =>
    all(caller.open(story, (n + 1) % APIS).events(undefined, story.limit)),
  );
}
