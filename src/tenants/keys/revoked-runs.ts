import { Injectable, Logger } from '@nestjs/common';
import { isRedisUnavailable } from '../../platform/redis/redis-unavailable';
import { KeptRuns } from '../../runs/submit/kept-runs';
import { RunDeletion } from '../../runs/ending/run-deletion';
import { RunReader } from '../../runs/store/run-reader';
import type { RunRecord } from '../../runs/record/run-record';
import { CapacityStore } from '../../runs/store/capacity.store';
import { CallerAccess } from '../../platform/auth/caller-access';
import type { StoredKey } from './key-record';
import { KeyStore } from './key.store';
import { KeyTable } from './key-table';

/** A request that was accepted before the revocation may be on its way to its record for this long. */
const SETTLED_MS = 15_000;

/**
 * Ends the runs of revoked keys, in every worker: those of the name where the revocation requests it, and always those
 * that have not begun or wait for a decision, once the name has no valid key. What it keeps expires then.
 */
@Injectable()
export class RevokedRuns {
  private readonly log = new Logger('Keys');
  private isBusy = false;

  constructor(
    private readonly table: KeyTable,
    private readonly store: KeyStore,
    private readonly access: CallerAccess,
    private readonly capacity: CapacityStore,
    private readonly reader: RunReader,
    private readonly deletion: RunDeletion,
    private readonly kept: KeptRuns,
  ) {
    table.onCheck(() => void this.endAll());
  }

  private async endAll(): Promise<void> {
    const { ending } = this.table;
    if (this.isBusy || ending.length === 0) return;
    this.isBusy = true;
    try {
      const isSettled = (key: StoredKey): boolean =>
        this.store.now() > key.revoked_ms! + SETTLED_MS;
      const settled = ending.filter(isSettled);
      for await (const ids of this.capacity.olderThan(0))
        await Promise.all(ids.map((id) => this.end(id, ending)));
      for (const { id, name, revoked_ms } of settled) {
        if (this.access.isEnded(name)) await this.kept.letAllGo(name);
        await this.store.change(id, (key) =>
          key.revoked_ms === revoked_ms && key.ending
            ? { ...key, ending: { ...key.ending, done: true } }
            : key,
        );
      }
    } catch (error) {
      // The next check tries again.
      if (!isRedisUnavailable(error)) this.log.error(error);
    } finally {
      this.isBusy = false;
    }
  }

  private async end(id: string, ending: readonly StoredKey[]): Promise<void> {
    const { caller = '' } = await this.reader.readSome(id, 'caller');
    const keys = ending.filter(({ name }) => name === caller);
    if (keys.length === 0) return;
    const record = await this.reader.read(id);
    if (record && keys.some((key) => this.isOver(record, key)))
      await this.deletion.cancel(record);
  }

  private isOver(
    record: RunRecord,
    { ending, revoked_ms }: StoredKey,
  ): boolean {
    const isLast = this.access.isEnded(record.caller);
    if (ending?.runs === 'cancel')
      return isLast || record.createdMs <= revoked_ms!;
    const isParked = record.dueMs !== null && record.startedMs === null;
    return isLast && (isParked || record.status === 'requires_action');
  }
}
