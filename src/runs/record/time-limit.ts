/**
 * A signal that aborts with `parent` or after `ms`, whichever is first. `clear` when it is no longer needed.
 * @param extension asked once when the time is up: how many milliseconds more there are. If it fails, none.
 */
export function timeLimit(
  ms: number,
  parent: AbortSignal,
  extension?: () => Promise<number>,
): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(parent.reason);
  const end = (): void => controller.abort();
  const extend = async (): Promise<void> => {
    const more = (await extension?.().catch(() => 0)) ?? 0;
    if (more <= 0) end();
    else if (!cleared) timer = setTimeout(end, more);
  };
  let cleared = false;
  let timer = setTimeout(extension ? () => void extend() : end, ms);
  parent.addEventListener('abort', abort);
  if (parent.aborted) abort();
  return {
    signal: controller.signal,
    clear: () => {
      cleared = true;
      clearTimeout(timer);
      parent.removeEventListener('abort', abort);
    },
  };
}

/** A signal that aborts `ms` after `parent` does, with its reason. `clear` when it is no longer needed. */
export function graceAfter(
  parent: AbortSignal,
  ms: number,
): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const begin = (): void =>
    void setTimeout(() => controller.abort(parent.reason), ms).unref();
  if (parent.aborted) begin();
  else parent.addEventListener('abort', begin, { once: true });
  return {
    signal: controller.signal,
    clear: () => parent.removeEventListener('abort', begin),
  };
}

/** Does `work` until the limit. */
export async function within<T>(
  limit: ReturnType<typeof timeLimit>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await work(limit.signal);
  } finally {
    limit.clear();
  }
}

/** A run whose time limit passes so soon ends together with the wait for it. */
const TIE_MS = 5_000;
/** What the end of a run may take: the endpoint is asked to stop, and for what there is. */
const ENDING_MS = 20_000;

/** @param endsInMs in how many milliseconds the time limit of a run passes; 0 if it is to stop. */
export function isEnding(endsInMs: number | undefined): endsInMs is number {
  return endsInMs !== undefined && endsInMs <= TIE_MS;
}

/** The time limit of a caller who waits for a run. The end of one that is about to end is awaited, for as long as it may take. */
export function waitLimit(
  ms: number,
  parent: AbortSignal,
  endsInMs: () => Promise<number | undefined>,
): ReturnType<typeof timeLimit> {
  return timeLimit(ms, parent, async () => {
    const left = await endsInMs();
    return isEnding(left) ? left + ENDING_MS : 0;
  });
}
