import { Logger } from '@nestjs/common';
import type { RunDispatcher } from '../queue/run.dispatcher';
import type { AdmissionStore } from './admission.store';

/** A waiting run is promoted when a place is free; one whose promotion was lost asks again after so much time. */
const RETRY_FIRST_MS = 5_000;
const RETRY_MOST_MS = 60_000;
const RETRY_EACH_MS = 100;
const WATCH_EVERY_MS = 2_000;

/** Admits runs in the order of the waiting list, while their pool has places. */
export class WaitingList {
  private readonly log = new Logger('WaitingList');
  private looking = false;

  /** @param pool that a run which begins now counts towards. */
  constructor(
    private readonly admission: AdmissionStore,
    private readonly dispatcher: RunDispatcher,
    private readonly pool: () => Promise<string>,
  ) {}

  /** `retryMs`: when to ask again, unless promoted before. `ahead`: how many waiting runs are ahead. */
  async enter(
    id: string,
    rank: number,
  ): Promise<'in' | { retryMs: number; ahead: number }> {
    const entry = await this.admission.enter(id, rank, await this.pool());
    if (entry.kind === 'in') {
      if (entry.next) await this.dispatcher.promote(entry.next);
      return 'in';
    }
    const { ahead } = entry;
    const ms = Math.min(RETRY_FIRST_MS + ahead * RETRY_EACH_MS, RETRY_MOST_MS);
    return { ahead, retryMs: ms * (0.75 + Math.random() / 2) };
  }

  /** Gives up its place, in the waiting list or among the admitted. */
  async leave(id: string): Promise<void> {
    const next = await this.admission.leave(id);
    if (next) await this.dispatcher.promote(next);
  }

  /** Promotes the runs that have a place, in case their promotion was lost. */
  async promote(): Promise<void> {
    for (const id of await this.admission.admissible(await this.pool()))
      await this.dispatcher.promote(id);
  }

  /** Promotes now and then. The caller clears the timer. */
  watch(): NodeJS.Timeout {
    return setInterval(() => void this.look(), WATCH_EVERY_MS).unref();
  }

  private async look(): Promise<void> {
    // While Redis is unavailable one look waits for it; more of them would only pile up.
    if (this.looking) return;
    this.looking = true;
    try {
      await this.promote();
    } catch {
      this.log.warn('The waiting list could not be read; trying again');
    } finally {
      this.looking = false;
    }
  }
}
