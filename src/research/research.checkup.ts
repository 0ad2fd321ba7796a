import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/config';
import type { Checkup, Finding } from '../redis/checkup';
import { Admission } from './admission';
import { ASKING, Brake } from './brake';

/** Whether the places of the models are counted right, and whether the endpoint keeps runs waiting. */
@Injectable()
export class ResearchCheckup implements Checkup {
  readonly title = 'Research';

  constructor(
    private readonly admission: Admission,
    private readonly brake: Brake,
    private readonly config: AppConfig,
  ) {}

  async *look(): AsyncGenerator<Finding> {
    for (const model of await this.admission.miscounted())
      yield {
        problem: 'The count of the admitted runs of a model is wrong',
        id: model,
        mend: () => this.admission.recount(),
      };
    for (const name of [...this.config.upstream.researchModels, ASKING]) {
      const end = await this.brake.end(name);
      if (end)
        yield {
          problem: 'The model endpoint asked for a pause, which is kept',
          id: `${name} until ${end.toISOString()}`,
          mend: () => this.brake.release(name),
        };
    }
  }
}
