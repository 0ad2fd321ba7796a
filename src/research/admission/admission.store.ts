import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import {
  type RedisClient,
  RedisConnections,
} from '../../redis/redis-connections';
import { ADMISSION_SCRIPT } from './admission.script';

/** The braces keep them in one slot of a Cluster. */
const KEYS = [
  'sonde:{admission}:line',
  'sonde:{admission}:admitted',
  'sonde:{admission}:counts',
] as const;
const [LINE, ADMITTED] = KEYS;
const PAGE = 200;
interface ScriptedClient {
  sondeAdmission(
    ...args: (string | number)[]
  ): Promise<(string | number | null)[]>;
}

/** `next`: who else may enter now, if anybody waits. */
export type Entry =
  | { kind: 'in'; next?: string }
  /** `before`: how many are ahead in the line. */
  | { kind: 'wait'; before: number };

/**
 * The line of invocations that have not begun, and the places of those that have: one model runs only so many at once,
 * over all workers. A place is kept until the run has ended, whichever workers held it meanwhile.
 */
@Injectable()
export class AdmissionStore {
  private readonly redis: RedisClient;
  private readonly scripts: ScriptedClient;

  constructor(
    { commands }: RedisConnections,
    private readonly config: AppConfig,
  ) {
    this.redis = commands;
    commands.defineCommand('sondeAdmission', {
      numberOfKeys: KEYS.length,
      lua: ADMISSION_SCRIPT,
    });
    this.scripts = commands as unknown as ScriptedClient;
  }

  /** Safe to repeat, as are the others. */
  /** Answers the position, as below. */
  async join(id: string, rank: number): Promise<number | null> {
    const [before] = await this.run('join', id, rank);
    return typeof before === 'number' ? before + 1 : null;
  }

  async enter(id: string, rank: number, model: string): Promise<Entry> {
    const [kind, detail] = await this.run(
      'enter',
      id,
      rank,
      model,
      this.limitOf(model),
    );
    if (kind === 'wait') return { kind, before: Number(detail) };
    return { kind: 'in', ...(detail && { next: String(detail) }) };
  }

  /** Those in line for whom the model has a place now, at most 100; nobody if it has no limit. */
  async admissible(model: string): Promise<string[]> {
    const limit = this.limitOf(model);
    if (limit === 0) return [];
    return (await this.run('admissible', '', model, limit)).map(String);
  }

  /** Answers who is first in line now, if a place became free. */
  async leave(id: string): Promise<string | undefined> {
    const [next] = await this.run('leave', id);
    return next ? String(next) : undefined;
  }

  /** From 1; null if it does not stand in the line. */
  async position(id: string): Promise<number | null> {
    const rank = await this.redis.zrank(LINE, id);
    return rank === null ? null : rank + 1;
  }

  /** The models whose count is not what the admitted come to. */
  async miscounted(): Promise<string[]> {
    return (await this.run('miscounted', '')).map(String);
  }

  /** Counts the admitted of every model anew. */
  async recount(): Promise<void> {
    await this.run('recount', '');
  }

  /** Everybody in the line or admitted, a page at a time. Who moves forward meanwhile may be missed. */
  async *everybody(): AsyncGenerator<string[]> {
    for (let start = 0; ; start += PAGE) {
      const ids = await this.redis.zrange(
        LINE,
        String(start),
        String(start + PAGE - 1),
      );
      if (ids.length === 0) break;
      yield ids;
    }
    let cursor = '0';
    do {
      const [next, flat] = await this.redis.hscan(
        ADMITTED,
        cursor,
        'COUNT',
        PAGE,
      );
      yield flat.filter((_, i) => i % 2 === 0);
      cursor = next;
    } while (cursor !== '0');
  }

  /** 0: no limit. */
  private limitOf(model: string): number {
    const { modelLimits } = this.config.research;
    return Number(modelLimits.get(model) ?? modelLimits.get('*') ?? 0);
  }

  private run(
    operation: string,
    id: string,
    ...args: (string | number)[]
  ): Promise<(string | number | null)[]> {
    return this.scripts.sondeAdmission(...KEYS, operation, id, ...args);
  }
}
