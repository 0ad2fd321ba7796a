import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import { KEYS } from '../../runs/record/run-keys';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { DECISION } from '../agent/journal/journal-entries';
import {
  RELEASED_VERSIONS,
  RETIRED_VERSIONS,
  VERSION_DECISION,
} from '../agent/agent-versions';
import { inheritedField, isInherited } from '../agent/journal/inheritance';
import { PagesPassedOn, passedOn } from './passed-on';

/** Entries of one page. */
const PAGE = 200;
const DAY_MS = 86_400_000;

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

  /**
   * Whether a run passes its steps on. Those of a retired version are in forms that no release reads any more.
   * @throws AppError `journal_expired`, `agent_version_unknown`.
   */
  async passesOn(from: string): Promise<boolean> {
    const json = await this.redis.hget(KEYS.journal(from), VERSION_DECISION);
    if (!json) throw new AppError('journal_expired');
    const { value } = JSON.parse(json) as { value: string };
    if (RETIRED_VERSIONS.includes(value)) return false;
    if (RELEASED_VERSIONS.includes(value)) return true;
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
    const sizes = new Map<string, number>();
    const pages = new PagesPassedOn();
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
        const one = passedOn(flat[i], flat[i + 1]);
        if (!one || sizes.has(one.field)) continue;
        pages.add(one);
        sizes.set(one.field, one.field.length + Buffer.byteLength(one.json));
        page.push(one.field, one.json);
      }
      if (page.length > 0) await this.write(target, page);
      cursor = next;
    } while (cursor !== '0');
    const { unread } = pages;
    if (unread.length > 0) await this.redis.hdel(target, ...unread);
    for (const field of unread) sizes.delete(field);
    const fork: Fork = {
      entries: [...sizes.keys()].filter(isInherited).length,
      bytes: [...sizes.values()].reduce((sum, one) => sum + one, 0),
    };
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
