import type { Effect, StepResult } from './journal';

/** Executes an effect until `signal` aborts. One that ignores the signal is left behind, and its result is dropped. */
export async function perform<T>(
  effect: Effect<T>,
  attempt: number,
  signal: AbortSignal,
): Promise<StepResult<T>> {
  signal.throwIfAborted();
  let abort!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([effect(signal, attempt), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
