import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../../platform/redis/redis-connections';
import { KEYS } from '../../../runs/record/run-keys';
import {
  ambiguousIn,
  attemptField,
  readEntry,
  type Settled,
  stepOfAttempt,
  type StepRecord,
} from './journal-entries';

/** Entries of one page. */
const PAGE = 200;

/** Reads journals. They are written with the record, see RunStore.append. */
@Injectable()
export class JournalStore {
  private readonly redis: RedisClient;

  constructor({ commands }: RedisConnections) {
    this.redis = commands;
  }

  /** The values of these steps, in their order; undefined for one without. */
  async values(id: string, keys: readonly string[]): Promise<unknown[]> {
    const entries = await this.redis.hmget(KEYS.journal(id), ...keys);
    return entries.map((json) => {
      const settled = json ? (JSON.parse(json) as Settled) : undefined;
      return settled && 'value' in settled ? settled.value : undefined;
    });
  }

  /**
   * Attempts without a known outcome, at steps without a result; and how many attempts repeated one. Results of steps
   * are not read.
   */
  async unsettled(
    id: string,
  ): Promise<{ ambiguous: string[]; repeated: number }> {
    const fields = await this.redis.hkeys(KEYS.journal(id));
    const all = new Set(fields);
    const attempts = fields.filter((field) => stepOfAttempt(field));
    const attempted = new Set(attempts.map(stepOfAttempt));
    const open = attempts.filter((field) => !all.has(stepOfAttempt(field)!));
    const steps = new Map<string, StepRecord>();
    if (open.length > 0) {
      const entries = await this.redis.hmget(KEYS.journal(id), ...open);
      for (const [at, field] of open.entries())
        readEntry(steps, field, entries[at] ?? '{}');
    }
    const ambiguous = [...steps].flatMap(([key, step]) =>
      ambiguousIn(step).map((n) => attemptField(key, n)),
    );
    return { ambiguous, repeated: attempts.length - attempted.size };
  }

  /** Everything that is on record of a run's steps, at most MAX_JOURNAL_BYTES. Complete once the run is claimed. */
  async read(id: string): Promise<Map<string, StepRecord>> {
    const steps = new Map<string, StepRecord>();
    let cursor = '0';
    do {
      const [next, entries] = await this.redis.hscan(
        KEYS.journal(id),
        cursor,
        'COUNT',
        PAGE,
      );
      for (let i = 0; i < entries.length; i += 2)
        readEntry(steps, entries[i], entries[i + 1]);
      cursor = next;
    } while (cursor !== '0');
    return steps;
  }
}
