import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import { KEYS } from '../../runs/record/run-keys';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { DECISION, type Settled } from '../agent/journal/journal-entries';
import { RELEASED_VERSIONS, VERSION_DECISION } from '../agent/agent-versions';
import {
  type Inherited,
  inheritedField,
  isInherited,
  sortOf,
} from '../agent/journal/inheritance';

/** Entries of one page. */
const PAGE = 200;
const DAY_MS = 86_400_000;
/** Steps whose results depend on nothing but their input. What is emitted or local is made anew. */
const FOUND = ['scope', 'plan', 'search', 'page', 'read', 'quote', 'gaps'];
/** With other notes their input differs. What was refused there ended the report, so it is asked for again. */
const WRITTEN = ['outline', 'write', 'rewrite', 'object'];
/** Decisions about the time of a run, or by the place of a query. */
const OWN_DECISIONS = ['clock', 'queries'];

/** The decision of a person on the plan. */
const REVIEW = 'plan:review';

interface Copy {
  field: string;
  json: string;
}

/** What a run begins with that has inherited. */
export interface Fork {
  entries: number;
  bytes: number;
}

/** Copies of a journal for a run that continues another one. */
@Injectable()
export class JournalForks {
  private readonly redis: RedisClient;

  constructor(
    { commands }: RedisConnections,
    private readonly config: AppConfig,
  ) {
    this.redis = commands;
  }

  /** @throws AppError `journal_expired`, `agent_version_unknown`. */
  async check(from: string): Promise<void> {
    const json = await this.redis.hget(KEYS.journal(from), VERSION_DECISION);
    if (!json) throw new AppError('journal_expired');
    const { value } = JSON.parse(json) as { value: string };
    if (!RELEASED_VERSIONS.includes(value))
      throw new AppError('agent_version_unknown');
  }

  /** Models of the run that have no price. */
  async unpriced(from: string): Promise<string[]> {
    const field = inheritedField('run', DECISION);
    const [own, inherited] = await this.redis.hmget(
      KEYS.journal(from),
      'run',
      field,
    );
    const json = inherited ?? own;
    if (!json) return [];
    const { value } = JSON.parse(json) as {
      value: { models: Record<string, { name: string; price?: object }> };
    };
    return Object.values(value.models).flatMap(({ name, price }) =>
      price ? [] : [name],
    );
  }

  /**
   * Writes the journal of a run that is not created yet, so that no worker ever has a part of it. Safe to repeat. It expires by
   * itself if the run is never created.
   * @throws AppError `journal_expired` if the source is gone before all of it is copied.
   */
  async copy(from: string, to: string): Promise<Fork> {
    const [source, target] = [KEYS.journal(from), KEYS.journal(to)];
    const fork: Fork = { entries: 0, bytes: 0 };
    const written = new Set<string>();
    let cursor = '0';
    do {
      const [next, flat] = await this.redis.hscan(
        source,
        cursor,
        'COUNT',
        PAGE,
      );
      const page: string[] = [];
      for (let i = 0; i < flat.length; i += 2) {
        const copy = copyOf(flat[i], flat[i + 1]);
        if (!copy || written.has(copy.field)) continue;
        written.add(copy.field);
        if (isInherited(copy.field)) fork.entries += 1;
        fork.bytes += copy.field.length + Buffer.byteLength(copy.json);
        page.push(copy.field, copy.json);
      }
      if (page.length > 0) await this.write(target, page);
      cursor = next;
    } while (cursor !== '0');
    // What was read last was complete only if it is still there.
    if ((await this.redis.exists(source)) === 1) return fork;
    // Another request with the same idempotency key may have made the run by now.
    if (!(await this.redis.exists(KEYS.record(to))))
      await this.redis.del(target);
    throw new AppError('journal_expired');
  }

  private async write(target: string, page: readonly string[]): Promise<void> {
    const { runs, research } = this.config;
    const keptMs = runs.retentionMs + research.timeoutMs + DAY_MS;
    const results = await this.redis
      .multi()
      .hset(target, ...page)
      .pexpire(target, keptMs, 'NX')
      .pexpire(target, keptMs, 'GT')
      .exec();
    for (const [error] of results ?? []) if (error) throw error;
  }
}

/** How an entry goes to the journal of the next run; undefined for what that run makes anew. */
function copyOf(field: string, json: string): Copy | undefined {
  if (isInherited(field)) return { field, json };
  if (field.includes('#')) return undefined;
  const settled = JSON.parse(json) as Settled;
  if (!('attempt' in settled)) return undefined;
  return settled.decided ? decisionOf(field, settled) : stepOf(field, settled);
}

type Done = Extract<Settled, { attempt: number }>;

function decisionOf(key: string, settled: Done): Copy | undefined {
  if (OWN_DECISIONS.includes(sortOf(key))) return undefined;
  // Its models are kept, its times are not.
  if (key === 'run') return inheritedCopy(key, settled);
  const value = settled.value as object;
  // The time that a person took to review the plan is no time of the next run.
  const own = key === REVIEW ? { ...value, waitedMs: 0 } : value;
  return { field: key, json: JSON.stringify({ ...settled, value: own }) };
}

function stepOf(key: string, settled: Done): Copy | undefined {
  const sort = sortOf(key);
  const isWritten = WRITTEN.includes(sort);
  if (!isWritten && !FOUND.includes(sort)) return undefined;
  const { tried, fault } = settled.value as {
    tried?: unknown;
    fault?: unknown;
  };
  // A search or page that failed is tried again. An answer that was refused is paid for.
  const isPaid = !isWritten && settled.spent?.input_tokens;
  const hasFailed = !isPaid && (tried ?? fault) !== undefined;
  return hasFailed ? undefined : inheritedCopy(key, settled);
}

function inheritedCopy(key: string, settled: Done): Copy {
  const { input, attempt, value } = settled;
  const entry: Inherited = { input, attempt, value, from: key };
  return {
    field: inheritedField(sortOf(key), input),
    json: JSON.stringify(entry),
  };
}
