import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** Polls until there is a value; the time limit is the test's. */
export async function until<T>(
  look: () => Promise<T | false | undefined>,
): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    await sleep(LOOK_EVERY_MS);
  }
}
