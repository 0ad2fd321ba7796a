import { Injectable } from '@nestjs/common';
import { RunStore } from '../record/run.store';
import { type RunKind, RunKinds } from '../run.kinds';
import { CapacityStore } from '../submit/capacity.store';

/** Acts on the end of runs of every kind. */
export type EndListener = Pick<RunKind, 'settle' | 'leftovers'>;

/**
 * The work that is left after the last event of a run. Until all of it is done the run stays in the index of the
 * unfinished, where the reconciler finds it after a crash.
 */
@Injectable()
export class EndListeners {
  private readonly registered: EndListener[] = [];

  constructor(
    private readonly capacity: CapacityStore,
    private readonly kinds: RunKinds,
    private readonly store: RunStore,
  ) {}

  register(listener: EndListener): void {
    this.registered.push(listener);
  }

  async settle(id: string): Promise<void> {
    await Promise.all(this.all().map(async (one) => one.settle?.(id)));
    await this.store.settled(id);
    await this.capacity.remove(id);
  }

  /** Runs for which something is kept, unfinished ones included. */
  async *leftovers(): AsyncGenerator<string[]> {
    for (const one of this.all()) yield* one.leftovers?.() ?? [];
  }

  private all(): EndListener[] {
    return [...this.kinds.all(), ...this.registered];
  }
}
