import { Injectable } from '@nestjs/common';
import { CapacityStore } from '../submit/capacity.store';

export interface EndListener {
  /** What a room does once an invocation has ended or is gone. Safe to repeat; throws if it has to be tried again. */
  settle?(invocationId: string): Promise<void>;
  /** Removes what is kept on account of an invocation that is deleted, before it ends. Safe to repeat. */
  purge?(invocationId: string): Promise<void>;
  /** All invocations for which the room keeps something until they are settled, a page of a few hundred at a time. */
  leftovers?(): AsyncIterable<string[]>;
}

/**
 * What is left to do after the last event of an invocation. Until all of it is done the invocation stays in the index
 * of the unfinished, where the reconciler finds it after a crash.
 */
@Injectable()
export class EndListeners {
  private readonly listeners: EndListener[] = [];

  constructor(private readonly unfinished: CapacityStore) {}

  register(listener: EndListener): void {
    this.listeners.push(listener);
  }

  async settle(invocationId: string): Promise<void> {
    await Promise.all(
      this.listeners.map(async (listener) => listener.settle?.(invocationId)),
    );
    await this.unfinished.remove(invocationId);
  }

  /** Comes before the end of one that was deleted while it ran. */
  async purge(invocationId: string): Promise<void> {
    for (const listener of this.listeners) await listener.purge?.(invocationId);
  }

  /** Whatever is kept of any invocation, unfinished ones included. */
  async *leftovers(): AsyncGenerator<string[]> {
    for (const listener of this.listeners) yield* listener.leftovers?.() ?? [];
  }
}
