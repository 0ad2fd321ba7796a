import { Injectable } from '@nestjs/common';
import { AppendOnlyFileRewrite } from '../../platform/redis/append-only-file-rewrite';
import { faultOf } from '../../platform/redis/state/redis-faults';
import { WorkerSignals } from '../queue/worker-signals';
import { isFinal } from '../record/run';
import { RunKinds } from '../queue/run-kinds';
import { EmptiedRunsStore } from '../store/emptied-runs.store';
import { FollowUpsStore } from '../store/follow-ups.store';
import { CallerRunsIndex } from '../store/caller-runs-index';
import { EndListeners } from './end-listeners';
import { logCancelled } from './run-log';
import { RunReader } from '../store/run-reader';
import type { RunRecord } from '../record/run-record';
import { RunStore } from '../store/run.store';

/** Schedules the deletion of responses at the model endpoint. The schedule survives this process. */
export type ResponseDeleter = (responses: string[]) => Promise<void>;

/** Ends runs on request, and removes records together with their attachments. */
@Injectable()
export class RunDeletion {
  private readonly deleters: ResponseDeleter[] = [];

  constructor(
    private readonly store: RunStore,
    private readonly reader: RunReader,
    private readonly endings: EndListeners,
    private readonly kinds: RunKinds,
    private readonly callers: CallerRunsIndex,
    private readonly signals: WorkerSignals,
    private readonly rewrite: AppendOnlyFileRewrite,
    private readonly followUps: FollowUpsStore,
    private readonly emptied: EmptiedRunsStore,
  ) {}

  onResponses(deleter: ResponseDeleter): void {
    this.deleters.push(deleter);
  }

  /** A run that a worker holds ends a moment later, upstream included. */
  async cancel(record: RunRecord): Promise<void> {
    if (!isFinal(record.status)) await this.end(record, false);
  }

  /**
   * A failure on the way leaves the record, so that it can be removed again. Of a run that a worker holds, that worker
   * removes what it has begun since, and its responses at the model endpoint.
   */
  async remove(record: RunRecord): Promise<void> {
    const runs = record.status === 'running';
    if (runs) await this.end(record, true);
    await this.purge(record.id, !runs);
    if (!runs) await this.end(record, true);
    if (record.parent) await this.followUps.remove(record.parent, record.id);
    await this.callers.remove(record.caller, record.id);
  }

  /** Removes the attachments of a record, but not the record. Safe to repeat. */
  async purge(id: string, hasEnded = true): Promise<void> {
    const fields = await this.reader.readFields(id);
    const { runs = [], responses = [] } =
      this.kinds.of(fields.tool ?? '').purge?.(id, fields) ?? {};
    const others = new Set(runs);
    others.delete(id);
    await Promise.all([...others].map((other) => this.removeById(other)));
    if (hasEnded && responses.length > 0)
      await this.makingRoom(id, () => this.deleteAll([...new Set(responses)]));
    await this.makingRoom(id, () => this.rewrite.request());
  }

  private async deleteAll(responses: string[]): Promise<void> {
    for (const deleter of this.deleters) await deleter(responses);
  }

  /** Where memory is full, what the run holds makes the room for what is to be noted before it is removed. */
  private async makingRoom(id: string, note: () => Promise<void>) {
    try {
      await note();
    } catch (error) {
      if (faultOf(error)?.name !== 'memory_full') throw error;
      await this.emptied.empty(id);
      await note();
    }
  }

  private async end(record: RunRecord, remove: boolean): Promise<void> {
    const { id, tool } = record;
    const cancel = () => this.store.cancel(id, { remove });
    // One that runs is ended by its worker.
    const outcome =
      record.status === 'running'
        ? await cancel()
        : await this.endings.ending(
            id,
            cancel,
            (came) => came === 'requested' || came === 'unheld',
          );
    if (outcome === 'requested') return this.signals.send('cancel', id);
    if (outcome === 'unheld') return this.kinds.dispatcherOf(tool).promote(id);
    if (outcome === 'cancelled') logCancelled(record);
    await this.endings.settle(id);
  }

  private async removeById(id: string): Promise<void> {
    const record = await this.reader.read(id);
    if (record) await this.remove(record);
  }
}
