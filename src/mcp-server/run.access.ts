import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../auth/caller';
import { CallerAccess } from '../auth/caller.access';
import { AppError } from '../errors';
import { type IdPrefix, notFound } from '../runs/run-id';
import { RunReader } from '../runs/record/run.reader';
import type { RunRecord } from '../runs/record/run.record';
import type { Arguments } from './mcp.call';

const ID = /^(inv|chat)_[0-9a-f]{32}$/;

/** Opens records for their owners alone: here no token of a record replaces the key. */
@Injectable()
export class RunAccess {
  constructor(
    private readonly reader: RunReader,
    private readonly access: CallerAccess,
  ) {}

  /**
   * A caller without a name is the user of this machine, who owns what was begun without a key.
   * @throws AppError `invocation_not_found` or `chat_not_found`, also for the runs of others.
   */
  async open(id: string, { name }: CallerIdentity): Promise<RunRecord> {
    const record = ID.test(id) ? await this.reader.read(id) : undefined;
    if (!record || record.caller !== name) throw notFound(id);
    this.access.checkOwner(name);
    return record;
  }

  /** The run that `invocation_id` names. */
  named(
    { invocation_id: id, ...others }: Arguments,
    caller: CallerIdentity,
    prefix: IdPrefix = 'inv_',
  ): Promise<RunRecord> {
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw invalid(unknown, 'is not a known field');
    if (typeof id !== 'string' || !id.startsWith(prefix) || !ID.test(id))
      throw invalid('invocation_id', 'must be the id of an invocation');
    return this.open(id, caller);
  }
}

export function invalid(field: string, message: string): AppError {
  return new AppError('validation_failed', 'Some arguments are not valid.', {
    errors: [{ path: `arguments.${field}`.slice(0, 200), message }],
  });
}
