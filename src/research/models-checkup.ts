import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors';
import { ModelCatalog } from '../llm/models/model-catalog';
import { LearntMirror } from '../llm/models/learnt-mirror';
import { ModelChoice } from '../llm/models/model-choice';
import type { Checkup, Finding } from '../platform/redis/checkup.types';

/** Which models are used, what the processes have learnt about them, and whether the endpoint has them. Names are set by the operator, so nothing is mended. */
@Injectable()
export class ModelsCheckup implements Checkup {
  private learnt = '';

  constructor(
    private readonly catalog: ModelCatalog,
    private readonly models: ModelChoice,
    private readonly mirror: LearntMirror,
  ) {}

  get title(): string {
    const learnt = this.learnt && `; learnt of ${this.learnt}`;
    return `Models (${this.models.summary}${learnt})`;
  }

  async *look(): AsyncGenerator<Finding> {
    await this.catalog.refresh();
    this.learnt = await this.mirror.summary();
    const { fault } = this.catalog;
    if (fault) yield { problem: new AppError(fault).message };
    for (const problem of this.models.faults) yield { problem };
  }
}
