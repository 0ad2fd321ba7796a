import { Logger } from '@nestjs/common';
import type { RunStore } from '../store/run.store';
import type { ActiveRun } from './active-run';

/** Renewals in the time of one lease: two may fail before it is lost. */
export const RENEWALS_PER_LEASE = 3;
/** Leases that are renewed at once. */
const BATCH = 200;

/** Renews the leases of active runs, and applies the state of the record: cancelled, followed, or claimed by another worker. */
export class LeaseRenewal {
  private readonly log = new Logger('LeaseRenewal');
  private renewing = false;
  private calledAt = performance.now();
  /** The process stood still for so long that it may have lost its leases by that. */
  private stalled = false;

  constructor(
    private readonly store: RunStore,
    private readonly leaseMs: number,
  ) {}

  /** Never throws. While Redis is unavailable one round waits for it, and later ones are skipped. */
  async renewAll(active: Iterable<ActiveRun>): Promise<void> {
    const now = performance.now();
    this.stalled = this.isLate(now);
    this.calledAt = now;
    if (this.renewing) return;
    this.renewing = true;
    try {
      const runs = [...active];
      for (let n = 0; n < runs.length; n += BATCH)
        await Promise.all(
          runs.slice(n, n + BATCH).map((run) => this.renew(run)),
        );
    } catch {
      this.log.warn('Leases could not be renewed; trying again');
    } finally {
      this.renewing = false;
    }
  }

  /** Another worker has the run. Without Redis no lease is renewed, and nothing has crashed; a process that stood still has. */
  async lost({ id, fence }: ActiveRun): Promise<void> {
    if (this.stalled || this.isLate(performance.now())) return;
    // Counted too often it is suspected the sooner, and no more.
    await this.store.uncountCrash(id, fence).catch(() => undefined);
  }

  private isLate(now: number): boolean {
    return now - this.calledAt > this.leaseMs / 2;
  }

  private async renew(run: ActiveRun): Promise<void> {
    const record = await this.store.heartbeat(run.id, run.fence);
    if (!record) return run.stop('lost');
    run.crashes = record.crashes;
    if (record.cancelled) run.stop('cancel');
    run.attend(record.followedMs);
  }
}
