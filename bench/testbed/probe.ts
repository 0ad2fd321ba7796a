import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Preloaded into every process that is measured: reports over IPC what the process has used so far, and ends it when
 * the bench exits for whatever reason. It reads nothing outside the process, so it works on every platform.
 */
export interface Usage {
  cpuSeconds: number;
  heapBytes: number;
  rssBytes: number;
}

interface Request {
  id: number;
  request: string;
  input: unknown;
}

/** How much later than it should a timer fires, in milliseconds. */
export interface LoopDelay {
  p50: number;
  p99: number;
  max: number;
}

const handlers = new Map<string, (input: unknown) => unknown>();

/** Registers a further request of the bench. */
export function handle<T>(
  request: string,
  handler: (input: T) => unknown,
): void {
  handlers.set(request, handler as (input: unknown) => unknown);
}

/** Reports an event to the bench. */
export function report(event: string, value: unknown): void {
  process.send?.({ event, value });
}

handle('usage', usage);
handle('settled usage', () => {
  // Twice: the second collection frees what the first one finalised.
  globalThis.gc?.();
  globalThis.gc?.();
  return usage();
});

const TIMER_MS = 10;
const loop = monitorEventLoopDelay({ resolution: TIMER_MS });
handle('watch loop', () => {
  loop.reset();
  loop.enable();
});
handle('loop delay', (): LoopDelay => {
  loop.disable();
  const late = (nanoseconds: number): number =>
    Math.max(0, nanoseconds / 1e6 - TIMER_MS);
  return {
    p50: late(loop.percentile(50)),
    p99: late(loop.percentile(99)),
    max: late(loop.max),
  };
});

process.on('message', ({ id, request, input }: Request) => {
  void Promise.resolve(handlers.get(request)!(input)).then((value) =>
    process.send?.({ id, value }),
  );
});
process.on('disconnect', () => process.exit());
// The channel alone does not keep a process alive.
process.channel?.unref();

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss } = process.memoryUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    heapBytes: heapUsed,
    rssBytes: rss,
  };
}
