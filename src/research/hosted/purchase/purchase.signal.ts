/** A create in flight when the run stops may still return the id of what it purchased. */
const GRACE_MS = 7_000;

/** Aborts the create of a run that was stopped, with the reason of `stop`, after the grace period above. */
export function purchaseSignal(stop: AbortSignal): AbortSignal {
  const controller = new AbortController();
  stop.addEventListener(
    'abort',
    () => setTimeout(() => controller.abort(stop.reason), GRACE_MS).unref(),
    { once: true },
  );
  return controller.signal;
}
