import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppendOnlyFileRewrite } from '../../redis/append-only-file.rewrite';
import { CallerRunsIndex } from '../submit/caller-runs.index';
import { DispatcherRegistry } from '../queue/dispatcher.registry';
import { isFinal } from '../run';
import { WorkerSignals } from '../events/worker-signals';
import { EndListeners } from '../upkeep/end-listeners';
import { RunReader } from './run.reader';
import type { RunRecord } from './run.record';
import { RunStore } from './run.store';
import { logCancelled } from '../worker/run.log';
import type { StoredFields } from './stored.fields';

/** What is kept on account of a record: other records, and responses at the model endpoint. */
export interface Remains {
  invocations?: string[];
  responses?: string[];
}

/** What a room knows of the records that it makes. */
export interface DeletionListener {
  remains?(id: string, fields: StoredFields): Remains;
  /** Sees to it that the model endpoint deletes them; that outlives this process, and is not waited for. */
  discard?(responses: string[]): Promise<void>;
}

/** Ends runs on request, and removes records with everything that is kept on their account. */
@Injectable()
export class RunDeletion implements OnModuleInit {
  private readonly listeners: DeletionListener[] = [];

  constructor(
    private readonly store: RunStore,
    private readonly reader: RunReader,
    private readonly endings: EndListeners,
    private readonly carriers: DispatcherRegistry,
    private readonly callers: CallerRunsIndex,
    private readonly bell: WorkerSignals,
    private readonly rewrite: AppendOnlyFileRewrite,
  ) {}

  onModuleInit(): void {
    this.endings.register({ purge: (id) => this.purge(id, true) });
  }

  register(listener: DeletionListener): void {
    this.listeners.push(listener);
  }

  /** A run that a worker holds ends a moment later, upstream included. */
  async cancel(record: RunRecord): Promise<void> {
    if (!isFinal(record.status)) await this.end(record, false);
  }

  /**
   * Whatever goes wrong on the way, the record is there to be removed again. Of a run that a worker holds the worker removes
   * what it has begun since, and what it leaves at the model endpoint.
   */
  async remove(record: RunRecord): Promise<void> {
    const runs = record.status === 'running';
    if (runs) await this.end(record, true);
    await this.purge(record.id, !runs);
    if (!runs) await this.end(record, true);
    await this.callers.remove(record.caller, record.id);
  }

  private async end(record: RunRecord, remove: boolean): Promise<void> {
    const { id, tool, caller } = record;
    const outcome = await this.store.cancel(id, { remove });
    if (outcome === 'requested') return this.bell.ring('cancel', id);
    if (outcome === 'unheld') return this.carriers.of(tool).hasten(id);
    if (outcome === 'cancelled') logCancelled(id, tool, caller);
    await this.endings.settle(id);
  }

  /** Removes what is kept on account of a record, but not the record. Safe to repeat. */
  private async purge(id: string, hasEnded: boolean): Promise<void> {
    const fields = await this.reader.readFields(id);
    const remains = this.listeners.map(
      (listener) => listener.remains?.(id, fields) ?? {},
    );
    const children = new Set(remains.flatMap((one) => one.invocations ?? []));
    children.delete(id);
    await Promise.all([...children].map((child) => this.removeById(child)));
    const responses = [
      ...new Set(remains.flatMap((one) => one.responses ?? [])),
    ];
    if (hasEnded && responses.length > 0)
      for (const listener of this.listeners)
        await listener.discard?.(responses);
    await this.rewrite.request();
  }

  private async removeById(id: string): Promise<void> {
    const record = await this.reader.read(id);
    if (record) await this.remove(record);
  }
}
