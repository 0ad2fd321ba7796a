import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { KEYS } from '../record/run-keys';
import type { Claim } from '../store/run-claim';
import { SURVIVED_LEASES } from '../store/crash.script';
import { ScriptRunner } from '../store/script-runner';
import { ActiveRuns } from './active-runs';

/** Operations on the records of suspects, see `runScript`. */
const OPERATIONS = `
-- fence: its worker carries no other suspect
function op.isolate()
  if fenced(ARGV[3]) then return { 'fenced' } end
  redis.call('HSET', record, 'alone', '1')
  return { 'ok' }
end

-- fence: another run has crashed the workers of this one
function op.acquit()
  if fenced(ARGV[3]) then return { 'fenced' } end
  redis.call('HSET', record, 'crashes', 0, 'crashes_in_all', 0, 'crashes_alone', 0)
  return { 'ok' }
end
`;

type Crashes = Pick<Claim, 'crashes' | 'crashesInAll' | 'crashesAlone'>;

/** Crashes that end a run: without progress, of which the last so many beside no other suspect; and in all. */
const [MOST, MOST_ALONE, MOST_IN_ALL] = [6, 4, 20];
/** From so many crashes without progress a run is suspected, or in all; from so many in all nothing clears it. */
const [SUSPECTED, SUSPECTED_IN_ALL, NEVER_CLEARED] = [2, 3, 12];
/** What has not been claimed for so long is no suspect any more. */
const FORGOTTEN_MS = 60 * 60_000;
/** A suspect that waits asks again, the later the more there are. */
const [RETRY_MS, RETRY_EACH_MS, RETRY_MOST_MS] = [1_000, 5, 30_000];

interface Suspect {
  /** Suspects that its worker may carry at a time, itself among them. */
  most: number;
  inAll: number;
  since: number;
}

/**
 * Finds the run that crashes its workers among those that were lost with it. A worker carries half of the suspects at a
 * time, a quarter after the next crash, and so on until one is carried beside no other: where that one crashes its worker
 * again and again, it is the one, and the others are acquitted. A run without a crash is carried as ever.
 */
@Injectable()
export class Quarantine {
  private readonly redis: RedisClient;
  private readonly script: ScriptRunner;
  private readonly survivedMs: number;
  private readonly held = new Map<string, Suspect>();
  /** Comes before the others, so that each has its turn. */
  private next?: { id: string; until: number };

  constructor(
    private readonly connections: RedisConnections,
    private readonly active: ActiveRuns,
    { runs }: AppConfig,
  ) {
    this.survivedMs = SURVIVED_LEASES * runs.leaseMs;
    this.redis = connections.commands;
    this.script = new ScriptRunner(this.redis, OPERATIONS, 'quarantine');
  }

  /** Whether this process may carry it now; if not, in how many milliseconds to ask again. */
  async enter(claim: Claim): Promise<{ retryMs: number } | undefined> {
    if (levelOf(claim) < SUSPECTED) return undefined;
    const { id, fence, fields, crashesInAll } = claim;
    const acquittedMs = await this.redis.get(KEYS.acquitted);
    if (acquittedMs && Number(fields.crashed_ms ?? 0) <= Number(acquittedMs)) {
      await this.script.run('acquit', id, fence);
      return undefined;
    }
    const count = await this.enlist(id);
    await this.clear();
    const most = companyOf(claim, count);
    if (!this.hasRoom(id, most)) {
      const waitMs = Math.min(RETRY_MS + count * RETRY_EACH_MS, RETRY_MOST_MS);
      this.next ??= { id, until: 0 };
      if (this.next.id === id) this.next.until = performance.now() + 3 * waitMs;
      return { retryMs: waitMs * (0.75 + Math.random() / 2) };
    }
    if (this.next?.id === id) this.next = undefined;
    const since = performance.now();
    this.held.set(id, { most, inAll: crashesInAll, since });
    if (most === 1) await this.script.run('isolate', id, fence);
    return undefined;
  }

  /** It is not carried any more. */
  leave(id: string): void {
    // Left in the set it makes for too many at a time, until it is forgotten.
    if (this.held.delete(id))
      this.redis.zrem(KEYS.suspects, id).catch(() => undefined);
  }

  /** The run that crashed the workers was found: crashes before now are not those of others. */
  async found(id: string): Promise<void> {
    // As the scripts have it that note crashes: the clock of this process may be some milliseconds behind.
    const [seconds, micros] = await this.redis.time();
    const now = Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
    await this.redis.set(KEYS.acquitted, now, 'PX', FORGOTTEN_MS);
    await this.redis.zrem(KEYS.suspects, id);
  }

  /** Returns how many suspects there are. */
  private async enlist(id: string): Promise<number> {
    const now = this.connections.clock.now();
    const before = now - FORGOTTEN_MS;
    await this.redis.zadd(KEYS.suspects, now, id);
    await this.redis.zremrangebyscore(KEYS.suspects, 0, before);
    return this.redis.zcard(KEYS.suspects);
  }

  /** Those that have made progress or were carried for a while make room. */
  private async clear(): Promise<void> {
    const cleared = [...this.held].filter(([id, suspect]) =>
      this.isCleared(suspect, this.active.find(id)?.crashes),
    );
    for (const [id] of cleared) this.held.delete(id);
    if (cleared.length > 0)
      await this.redis.zrem(KEYS.suspects, ...cleared.map(([id]) => id));
  }

  /** A run that crashes its worker at once may have made progress before. */
  private isCleared({ inAll, since }: Suspect, crashes?: number): boolean {
    if (inAll >= NEVER_CLEARED) return false;
    const hasProgress = crashes === 0 && inAll < SUSPECTED_IN_ALL;
    return hasProgress || performance.now() - since >= this.survivedMs;
  }

  private hasRoom(id: string, most: number): boolean {
    const { next, held } = this;
    if (next && next.id !== id) {
      if (next.until > performance.now()) return false;
      this.next = undefined;
    }
    const limits = [...held.values()].map((one) => one.most);
    return held.size < Math.min(most, ...limits);
  }
}

/** Whether a run has crashed too many workers to be tried again. */
export function isCulprit(crashes: Crashes): boolean {
  return (
    (crashes.crashes >= MOST && crashes.crashesAlone >= MOST_ALONE) ||
    crashes.crashesInAll >= MOST_IN_ALL
  );
}

/** Each crash without progress halves the suspects; each in all does where neither progress nor time has cleared it. */
function levelOf({ crashes, crashesInAll }: Crashes): number {
  const isLasting = crashesInAll >= NEVER_CLEARED;
  if (isLasting)
    return Math.max(crashes, SUSPECTED + crashesInAll - NEVER_CLEARED);
  return Math.max(crashes, crashesInAll >= SUSPECTED_IN_ALL ? SUSPECTED : 0);
}

/** Of so many suspects, how many are carried at a time by a worker that carries this one. */
function companyOf(crashes: Crashes, suspects: number): number {
  return Math.max(1, Math.ceil(suspects / 2 ** (levelOf(crashes) - 1)));
}
