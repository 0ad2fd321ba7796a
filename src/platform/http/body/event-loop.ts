let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a turn of the event loop that no other caller shares. Between two CPU-bound steps, of one request or of
 * several, the process serves everything else.
 */
export function yieldToEventLoop(): Promise<void> {
  const turn = last.then(
    () => new Promise<void>((resolve) => setImmediate(resolve)),
  );
  last = turn;
  return turn;
}
