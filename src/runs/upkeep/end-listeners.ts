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
    // Before a place is free: the run that gets it sees what this one has cost.
    await settleAll(this.registered, id);
    await settleAll(this.kinds.all(), id);
    await this.store.settled(id);
    await this.capacity.remove(id);
  }

  /** Runs for which something is kept, unfinished ones included. */
  async *leftovers(): AsyncGenerator<string[]> {
    for (const one of [...this.kinds.all(), ...this.registered])
      yield* one.leftovers?.() ?? [];
  }
}

async function settleAll(
  listeners: readonly EndListener[],
  id: string,
): Promise<void> {
  await Promise.all(listeners.map(async (one) => one.settle?.(id)));
}
