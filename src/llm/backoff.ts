/** Waits `ms`; ends early, without an error, when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

/** Milliseconds before try number `attempt` (from 0): doubling from `first` to `most`, less up to a quarter at random. */
export function backoff(attempt: number, first: number, most: number): number {
  return Math.min(first * 2 ** attempt, most) * (1 - Math.random() / 4);
}
