import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { AppError } from '../../platform/errors';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { RunReader } from '../store/run-reader';
import type { RunRecord } from '../record/run-record';
import { isFinal } from '../record/run';
import { KEYS } from '../record/run-keys';
import { RunsService } from '../runs.service';
import { canonical } from '../store/idempotency.store';
import type { Accepted } from '../submit/run-submitter';

/** As long as an idempotency key counts. Every repetition begins it anew. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** So long after a successful end, a repetition gets that result. */
export const REUSED_MS = 15 * 60 * 1000;

/** Replaces what stands for a request if that is still ARGV[1]; answers what stands for it then. */
const REPLACE = `
local known = redis.call('GET', KEYS[1])
if not known or known == ARGV[1] then
  known = ARGV[2]
  redis.call('SET', KEYS[1], known, 'PX', ARGV[3])
else
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return known`;

interface Scripts {
  sondeJoin(...args: (string | number)[]): Promise<string>;
}

/** A request without an idempotency key. */
export interface Repeatable {
  /** Where it came in: requests of different protocols never meet. */
  readonly door: 'mcp' | 'v1';
  readonly caller: CallerIdentity;
  /** What is called, and with what. */
  readonly target: string;
  readonly body: unknown;
  /** It may be a repetition, even of a request that was answered: it says so, or its clients never do. */
  readonly isRetry: boolean;
}

/**
 * Clients give up after a minute and call again. The same request of the same caller stands for one run while it is
 * unfinished, and shortly after it has succeeded if its result reached none of those who asked, whatever process is asked,
 * and whichever of them died in between.
 */
@Injectable()
export class JoinedRuns {
  private readonly redis: RedisClient & Scripts;

  constructor(
    connections: RedisConnections,
    private readonly runs: RunsService,
    private readonly reader: RunReader,
  ) {
    const { commands } = connections;
    commands.defineCommand('sondeJoin', { numberOfKeys: 1, lua: REPLACE });
    this.redis = commands as RedisClient & Scripts;
  }

  /**
   * @param submit with this idempotency key.
   * @throws AppError those of the submission.
   */
  async join(
    { door, caller, target, body, isRetry }: Repeatable,
    submit: (key: string) => Promise<Accepted>,
  ): Promise<Pick<Accepted, 'record'>> {
    const request = canonical([caller.name ?? null, target, body]);
    const hash = createHash('sha256').update(request).digest('hex');
    const place = `sonde:{${door}:${hash}}`;
    let known = '';
    for (;;) {
      known = await this.replace(place, known, randomUUID());
      const [generation, id] = known.split(' ');
      if (id === undefined) {
        const submitted = submit(`${door}-${generation}`);
        const { record } = await this.orForget(place, known, submitted);
        await this.replace(place, known, `${generation} ${record.id}`);
        return { record };
      }
      const record = await this.reader.read(id);
      const isReused = isRetry || !(await this.isAnswered(id));
      const sinceMs = this.runs.now() - (isReused ? REUSED_MS : 0);
      if (record && isCurrent(record, sinceMs)) return { record };
    }
  }

  /** The caller of a run has what it asked for: the same request is a new one from then on. */
  answered(id: string): void {
    // Not noted, a further request gets the same result.
    this.redis
      .set(KEYS.answered(id), '1', 'PX', KEPT_MS)
      .catch(() => undefined);
  }

  private async isAnswered(id: string): Promise<boolean> {
    return (await this.redis.exists(KEYS.answered(id))) === 1;
  }

  /** A run that was deleted before its id was written here must not refuse all later requests. */
  private async orForget<T>(
    place: string,
    known: string,
    submitted: Promise<T>,
  ): Promise<T> {
    try {
      return await submitted;
    } catch (error) {
      if (error instanceof AppError && error.status === 404)
        await this.replace(place, known, randomUUID());
      throw error;
    }
  }

  private replace(place: string, before: string, after: string) {
    return this.redis.sondeJoin(place, before, after, KEPT_MS);
  }
}

/** Whether a run is what a repeated request asks for: it is unfinished, or has succeeded after `sinceMs`. */
export function isCurrent(
  { status, completedMs }: RunRecord,
  sinceMs: number,
): boolean {
  if (!isFinal(status)) return true;
  if (status === 'failed' || status === 'cancelled') return false;
  return (completedMs ?? 0) > sinceMs;
}
