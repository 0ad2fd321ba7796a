import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/config';
import type { Checkup, Finding } from '../platform/redis/checkup.types';
import { POLLING, RateLimitCooldown } from './hosted/rate-limit-cooldown';
import { ResearchKind } from './research-kind';

/** Whether the admitted runs of each model are counted right, and whether the endpoint limits requests. */
@Injectable()
export class ResearchCheckup implements Checkup {
  readonly title = 'Research';

  constructor(
    private readonly kind: ResearchKind,
    private readonly cooldown: RateLimitCooldown,
    private readonly config: AppConfig,
  ) {}

  async *look(): AsyncGenerator<Finding> {
    const { admission } = this.kind;
    for (const model of await admission.miscounted())
      yield {
        problem: 'The count of the admitted runs of a model is wrong',
        id: model,
        fix: () => admission.recount(),
      };
    for (const name of [...this.config.upstream.researchModels, POLLING]) {
      const endsAt = await this.cooldown.endsAt(name);
      if (endsAt)
        yield {
          problem: 'The model endpoint asked for a pause, which is in effect',
          id: `${name} until ${endsAt.toISOString()}`,
          fix: () => this.cooldown.clear(name),
        };
    }
  }
}
