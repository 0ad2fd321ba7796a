import { Injectable } from '@nestjs/common';
import type { Checkup, Finding } from '../../platform/redis/checkup.types';
import { RunKinds } from '../queue/run-kinds';
import { RunReader } from '../store/run-reader';

/** Whether every unfinished run has a delivery. */
@Injectable()
export class DeliveryCheckup implements Checkup {
  readonly title = 'Deliveries';

  constructor(
    private readonly kinds: RunKinds,
    private readonly reader: RunReader,
  ) {}

  async *look(): AsyncGenerator<Finding> {
    for (const { dispatcher } of this.kinds.all()) {
      const ids = await dispatcher.failedDeliveries();
      const states = await this.reader.states(ids);
      for (const [i, state] of states.entries())
        if (state.kind === 'waiting')
          yield {
            problem: 'Unfinished, but its delivery was given up',
            id: ids[i],
            fix: () => dispatcher.revive(ids[i], state.priority),
          };
    }
  }
}
