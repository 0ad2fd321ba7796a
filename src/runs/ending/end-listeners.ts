import { Injectable } from '@nestjs/common';
import { RunStore } from '../store/run.store';
import { type RunKind, RunKinds } from '../queue/run-kinds';
import { CapacityStore } from '../store/capacity.store';

/** Acts on the end of runs of every kind. */
export interface EndListener extends Pick<RunKind, 'settle' | 'leftovers'> {
  /** Whether the run counts against a limit of its caller. Safe to repeat; an unknown id changes nothing. */
  setCounted?(id: string, counts: boolean): Promise<void>;
  /** Called with a run that waits for decisions. Safe to repeat. */
  suspended?(id: string): Promise<void>;
}

/**
 * The work around the last event of a run, and that is left after it. Until all of it is done the run stays in the index of the
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

  /**
   * Frees the places of a run before anyone can see its end: whoever sees it and submits the next one is not refused for it.
   * @param end writes the end. @param goesOn by what `end` returned, the run has not ended, and counts again.
   */
  async ending<T>(
    id: string,
    end: () => Promise<T>,
    goesOn: (outcome: T) => boolean,
  ): Promise<T> {
    await this.setCounted(id, false);
    const outcome = await end();
    if (goesOn(outcome)) await this.setCounted(id, true);
    return outcome;
  }

  async settle(id: string): Promise<void> {
    // Before a place is free: the run that gets it sees what this one has cost.
    await settleAll(this.registered, id);
    await settleAll(this.kinds.all(), id);
    await this.store.settled(id);
    await this.capacity.remove(id);
  }

  /** A run waits for decisions; called again if the process dies meanwhile. */
  async suspended(id: string): Promise<void> {
    await Promise.all(this.registered.map(async (one) => one.suspended?.(id)));
  }

  private async setCounted(id: string, counts: boolean): Promise<void> {
    const owners: EndListener[] = [this.capacity, ...this.registered];
    await Promise.all(owners.map(async (one) => one.setCounted?.(id, counts)));
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
