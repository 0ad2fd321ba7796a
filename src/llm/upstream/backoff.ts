/** A timer of Node that is set to more than this fires at once. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/** A delay that came from outside, as one that a timer keeps: never less than none, never so long that it is none. */
export function timerMs(ms: number): number {
  return ms > 0 ? Math.min(ms, MOST_TIMER_MS) : 0;
}

/** Waits `ms`; ends early, without an error, when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, timerMs(ms));
    signal.addEventListener('abort', done);
  });
}

/** Milliseconds before try number `attempt` (from 0): doubling from `first` to `most`, less up to a quarter at random. */
export function backoff(attempt: number, first: number, most: number): number {
  return Math.min(first * 2 ** attempt, most) * (1 - Math.random() / 4);
}
