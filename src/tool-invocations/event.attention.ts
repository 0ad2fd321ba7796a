import { Injectable } from '@nestjs/common';
import { Carriers } from './carriers';
import { InvocationBell } from './invocation.bell';
import { InvocationStore } from './invocation.store';

/** For how long one word that somebody reads holds. */
export const FOLLOW_MS = 30_000;

/** Tells whoever runs an invocation that somebody reads its events or waits for its end, and wants them soon. */
@Injectable()
export class EventAttention {
  constructor(
    private readonly store: InvocationStore,
    private readonly bell: InvocationBell,
    private readonly carriers: Carriers,
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
