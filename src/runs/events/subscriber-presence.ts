import { Injectable } from '@nestjs/common';
import { RunKinds } from '../run.kinds';
import { WorkerSignals } from './worker-signals';
import { RunStore } from '../record/run.store';

/** For how long one word that somebody reads holds. */
export const FOLLOW_MS = 30_000;

/** Tells whoever runs an invocation that somebody reads its events or waits for its end, and wants them soon. */
@Injectable()
export class SubscriberPresence {
  constructor(
    private readonly store: RunStore,
    private readonly signals: WorkerSignals,
    private readonly kinds: RunKinds,
  ) {}

  /** At the beginning. */
  async call(id: string): Promise<void> {
    const run = await this.store.follow(id, FOLLOW_MS);
    if (run?.kind === 'held') await this.signals.send('followed', id);
    if (run?.kind === 'waiting')
      await this.kinds.dispatcherOf(run.tool).promote(id);
  }

  /** Well before `FOLLOW_MS` have passed. */
  async keep(id: string): Promise<void> {
    await this.store.follow(id, FOLLOW_MS);
  }
}
