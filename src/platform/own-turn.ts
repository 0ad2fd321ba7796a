import { setImmediate as nextTurn } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * A turn of the event loop for one piece of work. Of all that wait for one, a single one goes on in each iteration: pieces
 * of many runs that are due at once would else block the loop together, however short each is.
 */
export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
