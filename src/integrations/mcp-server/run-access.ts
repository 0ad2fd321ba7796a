import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { AppError } from '../../platform/errors';
import { isRunId, OwnedRuns } from '../../runs/http/owned-runs';
import type { IdPrefix } from '../../runs/record/run-id';
import type { RunRecord } from '../../runs/record/run-record';
import type { Arguments } from './mcp-call';

/** Opens the records that arguments and resources name. */
@Injectable()
export class RunAccess {
  constructor(private readonly owned: OwnedRuns) {}

  /** @throws AppError `invocation_not_found` or `chat_not_found`, also for the runs of others. */
  open(id: string, caller: CallerIdentity): Promise<RunRecord> {
    return this.owned.open(id, caller);
  }

  /** The run that `invocation_id` names. */
  async named(
    { invocation_id: id, ...others }: Arguments,
    caller: CallerIdentity,
    prefix: IdPrefix = 'inv_',
  ): Promise<RunRecord> {
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw invalid(unknown, 'is not a known field');
    if (typeof id !== 'string' || !id.startsWith(prefix) || !isRunId(id))
      throw invalid('invocation_id', 'must be the id of an invocation');
    return this.open(id, caller);
  }
}

export function invalid(field: string, message: string): AppError {
  return new AppError('validation_failed', 'Some arguments are not valid.', {
    errors: [{ path: `arguments.${field}`.slice(0, 200), message }],
  });
}
