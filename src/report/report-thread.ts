import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { AppError } from '../platform/errors';
import type { Rendered, RenderTask } from './render';
import { ReportQueue } from './report-queue';

const IDLE_MS = 60_000;
const LIMIT_MS = 30_000;
/** No report that a reader can take in is longer. */
const MAX_TEXT = 4_000_000;
/** An API process of 1 GB has room for it. */
const HEAP_LIMITS = {
  maxOldGenerationSizeMb: 384,
  maxYoungGenerationSizeMb: 32,
  stackSizeMb: 4,
};

/** The thread in which reports are written: one that hangs or takes too much memory is ended, and the process goes on. */
@Injectable()
export class ReportThread implements OnApplicationShutdown {
  private readonly queue = new ReportQueue();
  private readonly pool = new Piscina({
    filename: join(__dirname, 'report.worker.js'),
    minThreads: 0,
    maxThreads: 1,
    maxQueue: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: HEAP_LIMITS,
  });

  /**
   * @param caller one of those that share the thread
   * @throws AppError `server_busy`, `report_too_large`, or the reason of the signal.
   */
  async render(
    task: RenderTask,
    caller: string,
    signal: AbortSignal,
  ): Promise<Rendered> {
    if (task.input.text.length > MAX_TEXT) throw tooLarge(task);
    return this.queue.use(caller, signal, async () => {
      const time = AbortSignal.timeout(LIMIT_MS);
      try {
        const either = AbortSignal.any([signal, time]);
        return (await this.pool.run(task, { signal: either })) as Rendered;
      } catch (error) {
        signal.throwIfAborted();
        const { code } = error as NodeJS.ErrnoException;
        if (time.aborted || code === 'ERR_WORKER_OUT_OF_MEMORY')
          throw tooLarge(task);
        throw error;
      }
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}

function tooLarge({ format }: RenderTask): AppError {
  return new AppError(
    'report_too_large',
    `The report is too large for the format ${format}; \`output_text\` of the record has its text.`,
  );
}
