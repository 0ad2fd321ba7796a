import { Injectable } from '@nestjs/common';
import type { Priority } from '../run';
import { RunKinds } from '../run.kinds';
import { EndListeners } from './end-listeners';
import { RunReader } from '../record/run.reader';
import { CapacityStore } from '../submit/capacity.store';

/** A submission that is younger may still be under way. */
const AGE_MS = 60_000;

/**
 * Where the record says one thing and what was made of it another. `ended_not_settled`: it has ended or is gone, but
 * something of it is kept. `overdue`: it is unfinished, but nobody holds it, and nothing brings it to a worker.
 */
export type Discrepancy =
  | { kind: 'ended_not_settled'; id: string }
  | { kind: 'overdue'; id: string; tool: string; priority: Priority };

/** Brings what follows from a record back in line with it, after a crash between two writes. */
@Injectable()
export class Reconciler {
  constructor(
    private readonly unfinished: CapacityStore,
    private readonly endings: EndListeners,
    private readonly reader: RunReader,
    private readonly kinds: RunKinds,
  ) {}

  /** A page at a time. Changes nothing; the same one may come twice. */
  async *find(): AsyncGenerator<Discrepancy[]> {
    for await (const ids of this.unfinished.olderThan(AGE_MS))
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
      // A backlog is no loss, however long it takes.
      if (await this.kinds.dispatcherOf(tool).isUnderWay(id)) return [];
      return [{ kind: 'overdue', id, tool, priority }];
    });
    return (await Promise.all(found)).flat();
  }
}
