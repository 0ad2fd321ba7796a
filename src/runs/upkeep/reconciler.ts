import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { AppendOnlyFileRewrite } from '../../platform/redis/append-only-file-rewrite';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { KEYS } from '../record/run-keys';
import { RunReader } from '../store/run-reader';
import type { Priority } from '../record/run';
import { RunKinds } from '../queue/run-kinds';
import { CapacityStore } from '../store/capacity.store';
import { EndListeners } from '../ending/end-listeners';

/** A younger submission may still be under way. */
const AGE_MS = 60_000;
const EVERY_MS = 30_000;
/** Less than the shortest time between two rounds of one worker, so that a single worker misses none. */
const LOCK_MS = 20_000;

/**
 * A difference between a record and what follows from it. `ended_not_settled`: the run has ended or is gone, but something
 * of it is left. `overdue`: it is unfinished, no worker holds it, and nothing delivers it to one.
 */
export type Discrepancy =
  | { kind: 'ended_not_settled'; id: string }
  | { kind: 'overdue'; id: string; tool: string; priority: Priority };

/** Repairs what follows from a record after a crash between two writes. */
@Injectable()
export class Reconciler {
  constructor(
    private readonly capacity: CapacityStore,
    private readonly endings: EndListeners,
    private readonly reader: RunReader,
    private readonly kinds: RunKinds,
  ) {}

  /** A page at a time. Changes nothing; one discrepancy may be listed twice. */
  async *find(): AsyncGenerator<Discrepancy[]> {
    for await (const ids of this.capacity.olderThan(AGE_MS))
      yield this.compare(ids);
    for await (const ids of this.endings.leftovers()) {
      const states = await this.reader.states(ids);
      yield ids
        .filter((_, i) => states[i].kind === 'ended')
        .map((id) => ({ kind: 'ended_not_settled', id }));
    }
  }

  /** Safe to repeat. */
  async mend(found: Discrepancy): Promise<void> {
    if (found.kind === 'ended_not_settled') await this.endings.settle(found.id);
    else
      await this.kinds
        .dispatcherOf(found.tool)
        .revive(found.id, found.priority);
  }

  private async compare(ids: string[]): Promise<Discrepancy[]> {
    const states = await this.reader.states(ids);
    const found = ids.map(async (id, i): Promise<Discrepancy[]> => {
      const state = states[i];
      if (state.kind !== 'waiting')
        return state.kind === 'ended'
          ? [{ kind: 'ended_not_settled', id }]
          : [];
      const { tool, priority } = state;
      // A backlog is not a loss, however long it takes.
      if (await this.kinds.dispatcherOf(tool).isUnderWay(id)) return [];
      return [{ kind: 'overdue', id, tool, priority }];
    });
    return (await Promise.all(found)).flat();
  }
}

/** Reconciles now and then, in one of the workers at a time. */
@Injectable()
export class ReconcilerSchedule implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('Reconciler');
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly connections: RedisConnections,
    private readonly reconciler: Reconciler,
    private readonly rewrite: AppendOnlyFileRewrite,
  ) {}

  onModuleInit(): void {
    this.next(EVERY_MS * Math.random());
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Does nothing if another worker has begun a round a moment ago. */
  async round(): Promise<void> {
    // Never released: it keeps the other workers out of this round, and expires if this one dies.
    const lock = await this.connections.commands.set(
      KEYS.reconciling,
      process.pid,
      'PX',
      LOCK_MS,
      'NX',
    );
    if (lock === null) return;
    let failed = 0;
    for await (const page of this.reconciler.find()) {
      const mended = page.map((found) => this.reconciler.mend(found));
      const outcomes = await Promise.allSettled(mended);
      failed += outcomes.filter(({ status }) => status === 'rejected').length;
    }
    await this.rewrite.runIfDue();
    if (failed > 0)
      this.log.warn(`${failed} could not be mended and will be tried again`);
  }

  private next(ms: number): void {
    this.timer = setTimeout(() => {
      this.round()
        .catch(() => this.log.warn('A round failed and will be repeated'))
        .finally(() => {
          // At random, so that the workers' rounds do not coincide.
          if (this.timer) this.next(EVERY_MS * (0.75 + Math.random() / 2));
        });
    }, ms).unref();
  }
}
