import { Injectable } from '@nestjs/common';
import { DispatcherRegistry } from '../queue/dispatcher.registry';
import { WorkerSignals } from './worker-signals';
import { RunStore } from '../record/run.store';

/** For how long one word that somebody reads holds. */
export const FOLLOW_MS = 30_000;

/** Tells whoever runs an invocation that somebody reads its events or waits for its end, and wants them soon. */
@Injectable()
export class SubscriberPresence {
  constructor(
    private readonly store: RunStore,
    private readonly bell: WorkerSignals,
    private readonly carriers: DispatcherRegistry,
  ) {}

  /** At the beginning. */
  async call(id: string): Promise<void> {
    const run = await this.store.follow(id, FOLLOW_MS);
    if (run?.kind === 'held') await this.bell.ring('followed', id);
    if (run?.kind === 'waiting') await this.carriers.of(run.tool).hasten(id);
  }

  /** Well before `FOLLOW_MS` have passed. */
  async keep(id: string): Promise<void> {
    await this.store.follow(id, FOLLOW_MS);
  }
}
