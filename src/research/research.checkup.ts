import { Injectable } from '@nestjs/common';
import type { Checkup, Finding } from '../redis/checkup';
import { Admission } from './admission';

/** Whether the places of the models are counted right. */
@Injectable()
export class ResearchCheckup implements Checkup {
  readonly title = 'Research';

  constructor(private readonly admission: Admission) {}

  async *look(): AsyncGenerator<Finding> {
    for (const model of await this.admission.miscounted())
      yield {
        problem: 'The count of the admitted runs of a model is wrong',
        id: model,
        mend: () => this.admission.recount(),
      };
  }
}
