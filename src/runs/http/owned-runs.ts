import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { CallerAccess } from '../../platform/auth/caller-access';
import { RunReader } from '../store/run-reader';
import type { RunRecord } from '../record/run-record';
import { notFound } from '../record/run-id';

const ID = /^(inv|chat)_[0-9a-f]{32}$/;

/** Opens records for their owners alone, where no token of a record replaces the key. */
@Injectable()
export class OwnedRuns {
  constructor(
    private readonly reader: RunReader,
    private readonly access: CallerAccess,
  ) {}

  /**
   * A caller without a name is the user of this machine, who owns what was begun without a key.
   * @throws AppError `invocation_not_found` or `chat_not_found`, also for the runs of others.
   */
  async open(id: string, { name }: CallerIdentity): Promise<RunRecord> {
    const record = isRunId(id) ? await this.reader.read(id) : undefined;
    if (!record || record.caller !== name) throw notFound(id);
    this.access.checkOwner(name);
    return record;
  }
}

export function isRunId(id: string): boolean {
  return ID.test(id);
}
