import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { KEYS } from '../../runs/record/run-keys';
import type { KeptLimits } from '../../runs/store/kept-runs.store';
import { RunReader } from '../../runs/store/run-reader';
import { CapacityStore, COUNT_RUN } from '../../runs/store/capacity.store';
import {
  type CountedRun,
  SubmissionLimits,
} from '../../runs/submit/submission-limits';
import { EndListeners } from '../../runs/ending/end-listeners';
import { ACCOUNT_KEYS } from './limit-keys';
import { KeyLimits, limitHit } from './account-limits';
import { ADMIT, PARTS, RELEASE } from './limit-scripts';

/** A submission is on its way to the index of the unfinished for less than this. */
const AGE_MS = 60_000;
/** One process compares the runs of an account with the index at most this often. */
const COMPARE_MS = 5_000;

interface Scripts {
  sondeAdmit(...args: (string | number)[]): Promise<[string, number]>;
  sondeRelease(...args: (string | number)[]): Promise<number>;
  sondeCountRun(key: string, id: string, counts: '0' | '1'): Promise<number>;
}

/**
 * Counts the unfinished runs of each account in a set. What a crash or an older process has left in it is found by
 * comparison with the index of the unfinished before anything is refused for it.
 */
@Injectable()
export class SubmissionLimiter
  extends SubmissionLimits
  implements OnModuleInit
{
  private readonly redis: RedisClient & Scripts;
  private readonly comparedAt = new Map<string, number>();

  constructor(
    private readonly connections: RedisConnections,
    private readonly config: AppConfig,
    private readonly limits: KeyLimits,
    private readonly capacity: CapacityStore,
    private readonly reader: RunReader,
    private readonly endings: EndListeners,
  ) {
    super();
    const { commands } = connections;
    commands.defineCommand('sondeAdmit', { numberOfKeys: 3, lua: ADMIT });
    commands.defineCommand('sondeRelease', { numberOfKeys: 3, lua: RELEASE });
    commands.defineCommand('sondeCountRun', {
      numberOfKeys: 1,
      lua: COUNT_RUN,
    });
    this.redis = commands as RedisClient & Scripts;
  }

  onModuleInit(): void {
    this.endings.register({
      setCounted: (id, counts) => this.setCounted(id, counts),
      settle: (id) => this.settle(id),
    });
  }

  async admit(run: CountedRun): Promise<void> {
    const { account, isParked } = run;
    let [limit, waitMs] = await this.tryOnce(run);
    if (limit === 'unfinished' && (await this.compare(account, isParked)))
      [limit, waitMs] = await this.tryOnce(run);
    if (limit === '') return;
    const name =
      limit === 'unfinished'
        ? unfinishedLimit(isParked)
        : (limit as 'stored_bytes' | 'research_per_minute');
    throw limitHit(name, this.limits.of(account, name), waitMs / 1_000);
  }

  retentionMs(account: string): number | undefined {
    return this.limits.retentionMs(account);
  }

  kept(account: string): KeptLimits {
    return {
      kept_records: this.limits.of(account, 'kept_records'),
      kept_bytes: this.limits.of(account, 'kept_bytes'),
    };
  }

  async release(id: string, account: string): Promise<void> {
    await this.remove(id, account, 0);
  }

  private async setCounted(id: string, counts: boolean): Promise<void> {
    const { account } = await this.reader.readSome(id, 'account');
    if (!account) return;
    for (const isParked of [false, true]) {
      const [, key] = keysOf(account, isParked);
      await this.redis.sondeCountRun(key, id, counts ? '1' : '0');
    }
  }

  private async settle(id: string): Promise<void> {
    const { account } = await this.reader.readSome(id, 'account');
    if (!account) return;
    await this.remove(id, account, await this.redis.strlen(KEYS.text(id)));
  }

  private partMs(account: string): number {
    const ms = this.retentionMs(account) ?? this.config.runs.retentionMs;
    return Math.ceil(ms / PARTS);
  }

  private tryOnce(run: CountedRun): Promise<[string, number]> {
    const { id, account, isParked, isForced, isResearch, bytes } = run;
    return this.redis.sondeAdmit(
      ...keysOf(account, isParked),
      id,
      this.limits.of(account, unfinishedLimit(isParked)),
      isForced ? '1' : '0',
      bytes,
      this.limits.of(account, 'stored_bytes'),
      this.partMs(account),
      isResearch ? 1 : 0,
      this.limits.of(account, 'research_per_minute'),
    );
  }

  private async remove(
    id: string,
    account: string,
    bytes: number,
  ): Promise<void> {
    for (const isParked of [false, true])
      await this.redis.sondeRelease(
        ...keysOf(account, isParked),
        id,
        bytes,
        this.partMs(account),
      );
  }

  /** Removes what is not unfinished. @returns whether anything was removed. */
  private async compare(account: string, isParked: boolean): Promise<boolean> {
    const [, key] = keysOf(account, isParked);
    const now = performance.now();
    if (now - (this.comparedAt.get(key) ?? -Infinity) < COMPARE_MS)
      return false;
    for (const [other, at] of this.comparedAt)
      if (now - at >= COMPARE_MS) this.comparedAt.delete(other);
    this.comparedAt.set(key, now);
    const before = this.connections.clock.now() - AGE_MS;
    const ids = await this.redis.zrangebyscore(key, '-inf', before);
    const gone = await this.capacity.without(ids);
    if (gone.length > 0) await this.redis.zrem(key, ...gone);
    return gone.length > 0;
  }
}

function keysOf(account: string, isParked: boolean): [string, string, string] {
  return [
    ACCOUNT_KEYS.buckets(account),
    isParked ? ACCOUNT_KEYS.alarms(account) : ACCOUNT_KEYS.runs(account),
    ACCOUNT_KEYS.stored(account),
  ];
}

function unfinishedLimit(isParked: boolean) {
  return isParked ? 'parked_alarms' : 'unfinished_runs';
}
