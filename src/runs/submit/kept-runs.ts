import { Injectable, Optional } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import { RedisMemory } from '../../platform/redis/redis-memory';
import { notFound } from '../record/run-id';
import type { RunRecord } from '../record/run-record';
import { type KeptLimits, KeptRunsStore } from '../store/kept-runs.store';
import { RunReader } from '../store/run-reader';
import { SubmissionLimits } from './submission-limits';

/** Keeps ended runs beyond their retention, within the limits `kept_records` and `kept_bytes` of their caller. */
@Injectable()
export class KeptRuns {
  constructor(
    private readonly config: AppConfig,
    private readonly store: KeptRunsStore,
    private readonly reader: RunReader,
    private readonly memory: RedisMemory,
    @Optional() private readonly limits?: SubmissionLimits,
  ) {}

  /**
   * Until it is let go. Safe to repeat.
   * @throws AppError `invocation_not_found`, `invocation_not_ended`, `kept_limit_reached`, `capacity_exceeded`.
   */
  async keep({ id, caller, account }: RunRecord): Promise<RunRecord> {
    if (this.memory.isFull)
      throw new AppError('capacity_exceeded', 'The storage is nearly full.', {
        retryAfterSeconds: 60,
      });
    const most = this.mostOf(account);
    const { outcome, bytes } = await this.store.keep(caller, id, most);
    if (outcome === 'unfinished') throw new AppError('invocation_not_ended');
    if (outcome === 'kept_records' || outcome === 'kept_bytes')
      throw new AppError('kept_limit_reached', refusal(outcome, most, bytes), {
        limit: outcome,
      });
    return this.read(id);
  }

  /** From now on it is kept for the retention. Safe to repeat. @throws AppError `invocation_not_found`. */
  async letGo({ id, caller }: RunRecord): Promise<RunRecord> {
    await this.store.letGo(caller, id, this.config.runs.retentionMs);
    return this.read(id);
  }

  /** Those of a caller that is no more. */
  async letAllGo(caller: string): Promise<void> {
    await this.store.letAllGo(caller, this.config.runs.retentionMs);
  }

  private mostOf(account: string | undefined): KeptLimits {
    const { keyLimits } = this.config;
    if (account === undefined) return keyLimits;
    return this.limits?.kept(account) ?? keyLimits;
  }

  private async read(id: string): Promise<RunRecord> {
    const record = await this.reader.read(id);
    if (!record) throw notFound(id);
    return record;
  }
}

function refusal(
  limit: keyof KeptLimits,
  most: KeptLimits,
  bytes: number,
): string {
  if (limit === 'kept_records')
    return `At most ${most.kept_records} records can be kept (kept_records): let another one go first.`;
  return `Kept records may have ${most.kept_bytes} bytes in all (kept_bytes), and this one has ${bytes}: let others go first.`;
}
