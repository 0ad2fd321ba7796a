let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a turn of the event loop that no other caller of this gets. Between two heavy pieces of work, of one
 * request or of many, the process serves everything else.
 */
export function ownTurn(): Promise<void> {
  const turn = last.then(
    () => new Promise<void>((resolve) => setImmediate(resolve)),
  );
  last = turn;
  return turn;
}
