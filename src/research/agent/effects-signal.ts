import type { StopReason } from '../../runs/worker/active-run';

/** A shutdown gives the steps under way so long: what they have paid for is then on record. */
const SHUTDOWN_GRACE_MS = 5_000;

/** A signal that ends effects: with that of the run, but after a shutdown a moment later. `clear` when it is not needed. */
export function effectsSignal(run: AbortSignal): {
  signal: AbortSignal;
  clear: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => controller.abort(run.reason);
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if ((run.reason as StopReason) !== 'shutdown') abort();
    else timer = setTimeout(abort, SHUTDOWN_GRACE_MS).unref();
  };
  if (run.aborted) stop();
  else run.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      run.removeEventListener('abort', stop);
    },
  };
}
