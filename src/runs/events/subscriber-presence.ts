import { Injectable } from '@nestjs/common';
import { RunKinds } from '../queue/run-kinds';
import { WorkerSignals } from '../queue/worker-signals';
import { RunStore } from '../store/run.store';

/** For how long a run counts as followed after a report. */
export const FOLLOW_MS = 30_000;

/** Reports to the worker of a run that a caller reads its events or waits for its end. */
@Injectable()
export class SubscriberPresence {
  constructor(
    private readonly store: RunStore,
    private readonly signals: WorkerSignals,
    private readonly kinds: RunKinds,
  ) {}

  /** When a caller begins to follow. */
  async call(id: string): Promise<void> {
    const run = await this.store.follow(id, FOLLOW_MS);
    if (run?.kind === 'held') await this.signals.send('followed', id);
    if (run?.kind === 'waiting')
      await this.kinds.dispatcherOf(run.tool).promote(id);
  }

  /** Repeated well before `FOLLOW_MS` have passed. */
  async keep(id: string): Promise<void> {
    await this.store.follow(id, FOLLOW_MS);
  }
}
