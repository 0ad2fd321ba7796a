/** A signal that aborts with `parent` or after `ms`, whichever is first. `clear` when it is no longer needed. */
export function timeLimit(
  ms: number,
  parent: AbortSignal,
): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(parent.reason);
  const timer = setTimeout(() => controller.abort(), ms);
  parent.addEventListener('abort', abort);
  if (parent.aborted) abort();
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      parent.removeEventListener('abort', abort);
    },
  };
}
