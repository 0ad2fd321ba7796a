import { Logger } from '@nestjs/common';
import type { RunDispatcher } from './run-dispatcher';
import type { AdmissionStore, Entry } from '../admission/admission.store';

/** A waiting run is promoted when a place is free; one whose promotion was lost asks again after so much time. */
const RETRY_FIRST_MS = 5_000;
const RETRY_MOST_MS = 60_000;
const RETRY_EACH_MS = 100;
const WATCH_EVERY_MS = 2_000;

/** `retryMs`: when to ask again, unless promoted before. */
export type Wait = Extract<Entry, { ahead: number }> & { retryMs: number };

/** Admits the runs of a queue whose turn it is, while their pool and the process that asks have places. */
export class WaitingList {
  private readonly log = new Logger('WaitingList');
  private looking = false;

  /** @param pool that a run which begins now counts towards. */
  constructor(
    private readonly admission: AdmissionStore,
    private readonly dispatcher: RunDispatcher,
    private readonly queue: string,
    private readonly pool: () => Promise<string>,
  ) {}

  /** @param room how many more runs this process can carry. */
  async enter(id: string, rank: number, room: number): Promise<'in' | Wait> {
    const pool = await this.pool();
    const entry = await this.admission.enter(id, rank, pool, room);
    if (entry.next) await this.dispatcher.expedite(entry.next);
    if (entry.kind === 'in') return 'in';
    return { ...entry, retryMs: retryMs(entry.ahead) };
  }

  /** For a run that this process has no place for. */
  async wait(id: string, rank: number): Promise<Wait> {
    const ahead = await this.admission.rejoin(id, rank);
    return { kind: 'wait', ahead, retryMs: retryMs(ahead) };
  }

  /** Gives up its place, in the waiting list or among the admitted. */
  async leave(id: string): Promise<void> {
    for (const next of await this.admission.leave(id))
      await this.dispatcher.expedite(next);
  }

  /** Promotes the runs that have a place, in case their promotion was lost. */
  async promote(room: number): Promise<void> {
    const pool = await this.pool();
    for (const id of await this.admission.admissible(this.queue, pool, room))
      await this.dispatcher.expedite(id);
  }

  /** Promotes now and then. The caller clears the timer. */
  watch(room: () => number): NodeJS.Timeout {
    return setInterval(() => void this.look(room()), WATCH_EVERY_MS).unref();
  }

  private async look(room: number): Promise<void> {
    // While Redis is unavailable one look waits for it; more of them would only pile up.
    if (this.looking || room <= 0) return;
    this.looking = true;
    try {
      await this.promote(room);
    } catch {
      this.log.warn('The waiting list could not be read; trying again');
    } finally {
      this.looking = false;
    }
  }
}

function retryMs(ahead: number): number {
  const ms = Math.min(RETRY_FIRST_MS + ahead * RETRY_EACH_MS, RETRY_MOST_MS);
  return ms * (0.75 + Math.random() / 2);
}
