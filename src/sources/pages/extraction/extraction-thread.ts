import { join } from 'node:path';
import { Piscina } from 'piscina';
import type { PageLimits } from '../page-limits';
import type { ExtractionTask, RobotsTask } from './extraction.types';

const IDLE_MS = 30_000;
/** A thread that is not up by then never will be. */
const START_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** They hold for the heap alone: buffers are watched below. */
const HEAP_LIMITS = {
  maxOldGenerationSizeMb: 256,
  maxYoungGenerationSizeMb: 32,
  stackSizeMb: 4,
};

/** A task took more memory than it may. */
export class MemoryExceeded extends Error {}

/** One thread, started when there is a task and ended when there is none for a while, or when a task exceeds a limit. */
export class ExtractionThread {
  private readonly pool = new Piscina({
    filename: join(__dirname, 'page.worker.js'),
    minThreads: 0,
    maxThreads: 1,
    maxQueue: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: HEAP_LIMITS,
  });

  constructor(private readonly limits: PageLimits) {}

  /** @throws MemoryExceeded, what the pool throws, or an abort by `signal` or by the time limit. */
  async run<T>(
    name: 'extractPage' | 'isAllowed',
    task: ExtractionTask | RobotsTask,
    signal: AbortSignal,
    transferList: ArrayBuffer[],
  ): Promise<T> {
    // That the machine is busy while a thread starts is no fault of a page: its time begins after that.
    const starting = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
    await this.pool.run(undefined, { name: 'ready', signal: starting });
    const memory = new AbortController();
    const timer = setInterval(
      () => void this.watch(memory).catch(() => undefined),
      LOOK_EVERY_MS,
    );
    const time = AbortSignal.timeout(this.limits.extractMs);
    const any = AbortSignal.any([signal, time, memory.signal]);
    try {
      const options = { name, transferList, signal: any };
      return (await this.pool.run(task, options)) as T;
    } catch (error) {
      memory.signal.throwIfAborted();
      const { code } = error as NodeJS.ErrnoException;
      throw code === 'ERR_WORKER_OUT_OF_MEMORY' ? new MemoryExceeded() : error;
    } finally {
      clearInterval(timer);
    }
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  /** The thread answers even while its code runs. */
  private async watch(memory: AbortController): Promise<void> {
    for (const thread of this.pool.threads) {
      const { external_memory: bytes } = await thread.getHeapStatistics();
      if (bytes > this.limits.extractBufferBytes)
        memory.abort(new MemoryExceeded());
    }
  }
}
