import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import type { Checkup, Finding } from '../../redis/checkup';
import { AdmissionStore } from './admission.store';
import {
  ASKING,
  RateLimitCooldown,
} from '../hosted/purchase/rate-limit.cooldown';

/** Whether the places of the models are counted right, and whether the endpoint keeps runs waiting. */
@Injectable()
export class AdmissionCheckup implements Checkup {
  readonly title = 'Research';

  constructor(
    private readonly admission: AdmissionStore,
    private readonly brake: RateLimitCooldown,
    private readonly config: AppConfig,
  ) {}

  async *look(): AsyncGenerator<Finding> {
    for (const model of await this.admission.miscounted())
      yield {
        problem: 'The count of the admitted runs of a model is wrong',
        id: model,
        fix: () => this.admission.recount(),
      };
    for (const name of [...this.config.upstream.researchModels, ASKING]) {
      const end = await this.brake.end(name);
      if (end)
        yield {
          problem: 'The model endpoint asked for a pause, which is kept',
          id: `${name} until ${end.toISOString()}`,
          fix: () => this.brake.release(name),
        };
    }
  }
}
