import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors';
import { ModelCatalog } from '../llm/models/model-catalog';
import { ModelChoice } from '../llm/models/model-choice';
import type { Checkup, Finding } from '../platform/redis/checkup.types';

/** Which models are used, and whether the endpoint has them. Names are set by the operator, so nothing is mended. */
@Injectable()
export class ModelsCheckup implements Checkup {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly models: ModelChoice,
  ) {}

  get title(): string {
    return `Models (${this.models.summary})`;
  }

  async *look(): AsyncGenerator<Finding> {
    await this.catalog.refresh();
    const { fault } = this.catalog;
    if (fault) yield { problem: new AppError(fault).message };
    for (const problem of this.models.faults) yield { problem };
  }
}
