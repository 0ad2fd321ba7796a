import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../../platform/auth/caller';
import { AppError } from '../../../platform/errors';
import { OwnedRuns } from '../../../runs/http/owned-runs';
import type { RunRecord } from '../../../runs/record/run-record';
import { RESEARCH } from '../create/research-responses';
import { invocationIdOf, responseNotFound } from '../response-id';

/** Opens the runs that ids of responses stand for. */
@Injectable()
export class OwnedResponses {
  constructor(private readonly owned: OwnedRuns) {}

  /** @throws OpenAiRefusal `response_not_found`, also for the responses of others. */
  async open(responseId: string, caller: CallerIdentity): Promise<RunRecord> {
    const id = invocationIdOf(responseId);
    if (id === undefined) throw responseNotFound(responseId);
    try {
      const record = await this.owned.open(id, caller);
      if (record.tool === RESEARCH) return record;
    } catch (error) {
      const isUnknown = error instanceof AppError && error.status === 404;
      if (!isUnknown) throw error;
    }
    throw responseNotFound(responseId);
  }
}
