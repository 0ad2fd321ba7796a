import type {
  RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { ADMISSION_SCRIPT } from './admission.script';

const PAGE = 200;

interface ScriptedClient {
  sondeAdmission(
    ...args: (string | number)[]
  ): Promise<(string | number | null)[]>;
}

/** On whose account a run waits, and in which queue: only runs of one queue wait for each other. */
export interface Applicant {
  queue: string;
  account: string;
  /** Places that it gets for one of an account of weight 1. */
  weight: number;
  /** Whether its run of high priority comes before those of other accounts. */
  precedence: boolean;
  /** How many runs of its account may be admitted at once, of all queues; 0: no limit. Below 0: none until it asks again. */
  most: number;
}

export interface AdmissionOptions {
  /** The hash tag of the keys, which lie in one slot of a Cluster. */
  tag: string;
  /** How many runs of a pool are admitted at once, over all workers; 0: no limit. */
  limitOf(pool: string): number;
  /** Of all applicants. Processes of an earlier release know the first alone, and have it wait for none of the others. */
  queues: readonly string[];
  applicantOf(id: string): Promise<Applicant>;
}

/**
 * `next`: another run that may enter now. `ahead`: how many waiting runs of the same account are ahead. `full`: its account
 * has as many admitted runs as it may. `closed`: none of its account may be admitted now.
 */
export type Entry =
  | { kind: 'in'; next?: string }
  | { kind: 'wait' | 'full' | 'closed'; ahead: number; next?: string };

const URGENT = 1;

/**
 * The waiting list of runs that have not begun, and the places of those that have: only so many of one pool run at once,
 * over all workers. Accounts take turns; within one the priority decides, then the time of submission. A place is held until
 * the run has ended, whichever workers claim it meanwhile. Every operation is safe to repeat.
 */
export class AdmissionStore {
  private readonly redis: RedisClient;
  private readonly scripts: ScriptedClient;
  private readonly waiting: string;
  private readonly admitted: string;
  private readonly waits: string;
  private readonly keys: string[];

  constructor(
    { commands }: RedisConnections,
    private readonly options: AdmissionOptions,
  ) {
    const prefix = `sonde:{${options.tag}}`;
    this.waiting = `${prefix}:line`;
    this.admitted = `${prefix}:admitted`;
    this.waits = `${prefix}:waits`;
    this.keys = [
      this.waiting,
      this.admitted,
      `${prefix}:counts`,
      this.waits,
      `${prefix}:clocks`,
      `${prefix}:holders`,
      `${prefix}:`,
    ];
    this.redis = commands;
    commands.defineCommand('sondeAdmission', {
      numberOfKeys: this.keys.length,
      lua: ADMISSION_SCRIPT,
    });
    this.scripts = commands as unknown as ScriptedClient;
  }

  /** Returns the position, see `position`. */
  async join(id: string, rank: number): Promise<number | null> {
    const applicant = await this.options.applicantOf(id);
    return positionIn(
      await this.run('join', id, ...this.turnOf(rank, applicant)),
    );
  }

  /** The same for a run that gives up its place, if it has one. Returns how many waiting runs of its account are ahead. */
  async rejoin(id: string, rank: number): Promise<number> {
    const applicant = await this.options.applicantOf(id);
    const [ahead] = await this.run(
      'rejoin',
      id,
      ...this.turnOf(rank, applicant),
    );
    return Number(ahead);
  }

  /** @param room how many more runs the process that asks can carry; 0: any number. */
  async enter(
    id: string,
    rank: number,
    pool: string,
    room = 0,
  ): Promise<Entry> {
    const applicant = await this.options.applicantOf(id);
    const [kind, ...rest] = await this.run(
      'enter',
      id,
      ...this.turnOf(rank, applicant),
      applicant.queue,
      pool,
      this.options.limitOf(pool),
      room,
    );
    const isIn = kind === 'in';
    const next = rest.at(isIn ? 0 : 1);
    const also = next ? { next: String(next) } : {};
    if (isIn) return { kind, ...also };
    const full = applicant.most < 0 ? 'closed' : 'full';
    return {
      kind: kind === 'full' ? full : 'wait',
      ahead: Number(rest[0]),
      ...also,
    };
  }

  /** Some of the waiting runs that the pool, and the process that asks, have places for now, the next ones first. */
  async admissible(queue: string, pool: string, room = 0): Promise<string[]> {
    const limit = this.options.limitOf(pool);
    const ids = await this.run('admissible', '', queue, pool, limit, room);
    return ids.map(String);
  }

  /** Returns the runs whose turn it is, one of a queue, if a place became free. */
  async leave(id: string): Promise<string[]> {
    return (await this.run('leave', id, ...this.options.queues)).map(String);
  }

  /** Among the waiting runs of its account, from 1; null if it is not in the waiting list. */
  async position(id: string): Promise<number | null> {
    return positionIn(await this.run('position', id));
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
    for await (const ids of this.fieldsOf(this.admitted)) yield ids;
    // Their place was taken or given up at a process of an earlier release, which has not noted it here.
    for await (const ids of this.fieldsOf(this.waits))
      if (ids.length > 0)
        yield (await this.run('stray', '', ...ids)).map(String);
  }

  /** Its rank, group, account, weight, how many of its account may be admitted, and its rank in the list of all queues. */
  private turnOf(
    rank: number,
    { queue, account, weight, precedence, most }: Applicant,
  ): (number | string)[] {
    const isFirst = precedence && rank === URGENT;
    const group = `${queue}:${isFirst ? 1 : 2}`;
    const inLine = rank + 10 * this.options.queues.indexOf(queue);
    // The script separates by "|".
    return [rank, group, encodeURIComponent(account), weight, most, inLine];
  }

  private async *fieldsOf(hash: string): AsyncGenerator<string[]> {
    let cursor = '0';
    do {
      const [next, flat] = await this.redis.hscan(hash, cursor, 'COUNT', PAGE);
      yield flat.filter((_, i) => i % 2 === 0);
      cursor = next;
    } while (cursor !== '0');
  }

  private run(
    operation: string,
    id: string,
    ...args: (string | number)[]
  ): Promise<(string | number | null)[]> {
    return this.scripts.sondeAdmission(...this.keys, operation, id, ...args);
  }
}

function positionIn([ahead]: (string | number | null)[]): number | null {
  return typeof ahead === 'number' ? ahead + 1 : null;
}
