import type {
  RedisClient,
  RedisConnections,
} from '../../redis/redis-connections';
import { ADMISSION_SCRIPT } from './admission.script';

const PAGE = 200;

interface ScriptedClient {
  sondeAdmission(
    ...args: (string | number)[]
  ): Promise<(string | number | null)[]>;
}

export interface AdmissionOptions {
  /** The hash tag of the keys, which lie in one slot of a Cluster. */
  tag: string;
  /** How many runs of a pool are admitted at once, over all workers; 0: no limit. */
  limitOf(pool: string): number;
}

/** `next`: another run that may enter now. `ahead`: how many waiting runs are ahead. */
export type Entry =
  { kind: 'in'; next?: string } | { kind: 'wait'; ahead: number };

/**
 * The waiting list of runs that have not begun, and the places of those that have: only so many of one pool run at once,
 * over all workers. A place is held until the run has ended, whichever workers claim it meanwhile. Every operation is safe
 * to repeat.
 */
export class AdmissionStore {
  private readonly redis: RedisClient;
  private readonly scripts: ScriptedClient;
  private readonly waiting: string;
  private readonly admitted: string;
  private readonly counts: string;

  constructor(
    { commands }: RedisConnections,
    private readonly options: AdmissionOptions,
  ) {
    const prefix = `sonde:{${options.tag}}`;
    this.waiting = `${prefix}:line`;
    this.admitted = `${prefix}:admitted`;
    this.counts = `${prefix}:counts`;
    this.redis = commands;
    commands.defineCommand('sondeAdmission', {
      numberOfKeys: 3,
      lua: ADMISSION_SCRIPT,
    });
    this.scripts = commands as unknown as ScriptedClient;
  }

  /** Returns the position, see `position`. */
  async join(id: string, rank: number): Promise<number | null> {
    const [ahead] = await this.run('join', id, rank);
    return typeof ahead === 'number' ? ahead + 1 : null;
  }

  async enter(id: string, rank: number, pool: string): Promise<Entry> {
    const limit = this.options.limitOf(pool);
    const [kind, detail] = await this.run('enter', id, rank, pool, limit);
    if (kind === 'wait') return { kind, ahead: Number(detail) };
    return { kind: 'in', ...(detail && { next: String(detail) }) };
  }

  /** The waiting runs that the pool has a place for now, at most 100; none if the pool has no limit. */
  async admissible(pool: string): Promise<string[]> {
    const limit = this.options.limitOf(pool);
    if (limit === 0) return [];
    return (await this.run('admissible', '', pool, limit)).map(String);
  }

  /** Returns the first of the waiting list if a place became free. */
  async leave(id: string): Promise<string | undefined> {
    const [next] = await this.run('leave', id);
    return next ? String(next) : undefined;
  }

  /** From 1; null if it is not in the waiting list. */
  async position(id: string): Promise<number | null> {
    const rank = await this.redis.zrank(this.waiting, id);
    return rank === null ? null : rank + 1;
  }

  /** The pools whose count differs from the number of their admitted runs. */
  async miscounted(): Promise<string[]> {
    return (await this.run('miscounted', '')).map(String);
  }

  async recount(): Promise<void> {
    await this.run('recount', '');
  }

  /** Every waiting or admitted run, a page at a time. One that moves forward meanwhile may be missed. */
  async *everyone(): AsyncGenerator<string[]> {
    for (let start = 0; ; start += PAGE) {
      const ids = await this.redis.zrange(
        this.waiting,
        String(start),
        String(start + PAGE - 1),
      );
      if (ids.length === 0) break;
      yield ids;
    }
    let cursor = '0';
    do {
      const [next, flat] = await this.redis.hscan(
        this.admitted,
        cursor,
        'COUNT',
        PAGE,
      );
      yield flat.filter((_, i) => i % 2 === 0);
      cursor = next;
    } while (cursor !== '0');
  }

  private run(
    operation: string,
    id: string,
    ...args: (string | number)[]
  ): Promise<(string | number | null)[]> {
    const { waiting, admitted, counts } = this;
    const keys = [waiting, admitted, counts];
    return this.scripts.sondeAdmission(...keys, operation, id, ...args);
  }
}
