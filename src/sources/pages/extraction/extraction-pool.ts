import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Semaphore } from '../../../platform/semaphore';
import { PageLimits } from '../page-limits';
import type { PageFault } from '../page.types';
import { ExtractionThread, MemoryExceeded } from './extraction-thread';
import type {
  Extraction,
  ExtractionTask,
  RobotsTask,
} from './extraction.types';

/** Threads in which pages are read: one that hangs or takes too much memory is ended, and the process goes on. */
@Injectable()
export class ExtractionPool implements OnApplicationShutdown {
  private readonly turns: Semaphore;
  private readonly idle: ExtractionThread[];
  private readonly threads: readonly ExtractionThread[];
  private isClosed = false;

  constructor(limits: PageLimits) {
    this.turns = new Semaphore(limits.threads);
    this.threads = Array.from(
      { length: limits.threads },
      () => new ExtractionThread(limits),
    );
    this.idle = [...this.threads];
  }

  /** The bytes are given away. @throws the reason of the signal alone. */
  async extract(
    task: ExtractionTask,
    signal: AbortSignal,
  ): Promise<Extraction> {
    try {
      return await this.withThread(signal, (thread) =>
        thread.run<Extraction>('extractPage', task, signal, [
          task.bytes.buffer,
        ]),
      );
    } catch (error) {
      signal.throwIfAborted();
      return { fault: this.faultOf(error) };
    }
  }

  /** What cannot be decided within the limits is not allowed. @throws the reason of the signal alone. */
  async isAllowed(task: RobotsTask, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.withThread(signal, (thread) =>
        thread.run<boolean>('isAllowed', task, signal, []),
      );
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  /** A page is not at fault if this process ends. */
  private faultOf(error: unknown): PageFault {
    if (this.isClosed) return 'timeout';
    return error instanceof MemoryExceeded ? 'too_large' : 'unreadable';
  }

  private withThread<T>(
    signal: AbortSignal,
    work: (thread: ExtractionThread) => Promise<T>,
  ): Promise<T> {
    return this.turns.use(signal, async () => {
      const thread = this.idle.pop()!;
      try {
        return await work(thread);
      } finally {
        this.idle.push(thread);
      }
    });
  }
}
