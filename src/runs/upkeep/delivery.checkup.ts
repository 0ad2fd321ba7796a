import { Injectable } from '@nestjs/common';
import type { Checkup, Finding } from '../../redis/checkup';
import { DispatcherRegistry } from '../queue/dispatcher.registry';
import { RunReader } from '../record/run.reader';

/** Whether deliveries are where the records need them. */
@Injectable()
export class DeliveryCheckup implements Checkup {
  readonly title = 'Deliveries';

  constructor(
    private readonly carriers: DispatcherRegistry,
    private readonly reader: RunReader,
  ) {}

  async *look(): AsyncGenerator<Finding> {
    for (const carrier of this.carriers.all()) {
      const ids = await carrier.givenUp();
      const states = await this.reader.states(ids);
      for (const [i, state] of states.entries())
        if (state.kind === 'waiting')
          yield {
            problem: 'Unfinished, but its delivery was given up',
            id: ids[i],
            fix: () => carrier.revive(ids[i], state.priority),
          };
    }
  }
}
