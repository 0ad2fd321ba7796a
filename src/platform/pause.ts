/** Node fires a timer with a longer delay immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A delay from outside as a valid timer delay: at least 0, and short enough not to fire immediately. */
export function timerMs(ms: number): number {
  return ms > 0 ? Math.min(ms, MAX_TIMER_MS) : 0;
}

/** By what every pause is multiplied: tests have less patience. */
export const PAUSES = { scale: 1 };

/** Waits `ms`; ends early, without an error, when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, timerMs(ms * PAUSES.scale));
    signal.addEventListener('abort', done);
  });
}

/** A timer that is later than this comes to a process that did not run, and has not read yet what arrived meanwhile. */
const LATE_MS = 50;
/** In which such a process, and one beside it that did not run either, catches up. */
const CATCH_UP_MS = 1_000;

/**
 * The outcome of `work`, or of `late` if there is none after `ms`. The work goes on then, and a later failure of it is
 * ignored. Time in which this process did not run is not held against the work.
 */
export async function within<T, L = undefined>(
  ms: number,
  work: Promise<T>,
  late?: () => L,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    const due = performance.now() + ms;
    const end = (): void => {
      if (performance.now() - due < LATE_MS) resolve(undefined);
      else timer = setTimeout(resolve, CATCH_UP_MS, undefined);
    };
    timer = setTimeout(end, timerMs(ms));
  });
  try {
    return await Promise.race([work, limit.then(late) as Promise<L>]);
  } finally {
    clearTimeout(timer);
  }
}

/** How far apart attempts are, in ms. */
export interface Pace {
  firstMs: number;
  /** Of our own pauses, which double from the first. */
  maxMs: number;
  /** The longest that the other side may ask for. */
  askedMs?: number;
}

/**
 * The pause after a failure: our own backoff, or longer if the other side asks for it. What it asks for is a value from
 * outside: none, and one that is no number, zero or past, shortens nothing.
 * @param failures before this one.
 */
export function pauseAfter(
  failures: number,
  { firstMs, maxMs, askedMs = Infinity }: Pace,
  asked = 0,
): number {
  const own = backoff(failures, firstMs, maxMs);
  return asked > own ? Math.min(asked, Math.max(own, askedMs)) : own;
}

/** The delay before attempt `attempt` (from 0): doubles from `first` up to `max`, minus up to a quarter at random. */
export function backoff(attempt: number, first: number, max: number): number {
  return Math.min(first * 2 ** attempt, max) * (1 - Math.random() / 4);
}
