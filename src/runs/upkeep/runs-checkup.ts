import { Injectable } from '@nestjs/common';
import type { Checkup, Finding } from '../../platform/redis/checkup.types';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { idOfRecord, KEYS } from '../record/run-keys';
import { RunReader } from '../store/run-reader';
import { Reconciler } from './reconciler';
import { CapacityStore } from '../store/capacity.store';

const PROBLEM = {
  ended_not_settled: 'Ended, but something of it is still kept',
  overdue: 'Unfinished, but nothing brings it to a worker',
};

/** What the reconciler would find as well, and what it cannot see. */
@Injectable()
export class RunsCheckup implements Checkup {
  readonly title = 'Invocations';

  constructor(
    private readonly reconciler: Reconciler,
    private readonly connections: RedisConnections,
    private readonly reader: RunReader,
    private readonly unfinished: CapacityStore,
  ) {}

  async *look(): AsyncGenerator<Finding> {
    for await (const page of this.reconciler.find())
      for (const found of page)
        yield {
          problem: PROBLEM[found.kind],
          id: found.id,
          fix: () => this.reconciler.mend(found),
        };
    for await (const keys of this.connections.scan(KEYS.record('*')))
      yield* this.unindexed(keys.map(idOfRecord));
  }

  private async *unindexed(ids: string[]): AsyncGenerator<Finding> {
    const states = await this.reader.states(ids);
    const unfinished = ids.filter((_, i) => states[i].kind !== 'ended');
    for (const id of await this.unfinished.without(unfinished))
      yield {
        problem: 'Unfinished, but not in the index of the unfinished',
        id,
        fix: () => this.restore(id),
      };
  }

  private async restore(id: string): Promise<void> {
    await this.unfinished.restore(id);
    const [state] = await this.reader.states([id]);
    if (state.kind === 'waiting')
      await this.reconciler.mend({ ...state, kind: 'overdue', id });
  }
}
