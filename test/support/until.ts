import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

const LOOK_EVERY_MS = 20;
/** Longer than a busy machine takes for anything that tests wait for, and shorter than the time limits of tests. */
export const LIMIT_MS = 120_000;

/**
 * Polls until there is a value.
 * @param what is waited for, in words that complete "waited for".
 * @param look gets a function that remembers what it is given, for the error, and returns it.
 * @throws Error that says what was waited for, and what was seen last.
 */
export async function until<T>(
  what: string,
  look: (
    saw: <S>(seen: S) => S,
  ) => T | false | undefined | Promise<T | false | undefined>,
  ms = LIMIT_MS,
): Promise<T> {
  const endsAt = performance.now() + ms;
  let last: unknown;
  const saw = <S>(seen: S): S => {
    last = seen;
    return seen;
  };
  for (;;) {
    const seen = await look(saw);
    if (seen) return seen;
    if (performance.now() > endsAt)
      throw new Error(
        `waited ${ms / 1_000} s for ${what}; seen last: ${inspect(last ?? seen, { depth: 6 })}`,
      );
    await sleep(LOOK_EVERY_MS);
  }
}
