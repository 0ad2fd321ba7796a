import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../redis/redis-connections';
import { RunKinds } from '../run.kinds';
import {
  isFinal,
  isKnown,
  isUnderWay,
  type LogEvent,
  type Priority,
  type Status,
} from '../run';
import { KEYS } from './run.keys';
import {
  type RunRecord,
  isTooNew,
  RECORD_FIELDS,
  toPriority,
  toRecord,
} from './run.record';
import type { StoredFields } from './stored.fields';

/** What was put off may be so much late before anybody wonders. */
const OVERDUE_MS = 10_000;

/** What a worker has to know of a run before it may take it. */
export interface Standing {
  /** Undefined: there is no such record. */
  status: Status | undefined;
  tooNew: boolean;
  errorCode: string;
}

/** Somebody holds it or will go on with it, or a human has to decide first (`held`); nobody does though somebody should (`waiting`); or
 * nothing is left to do. */
export type RunState =
  | { kind: 'ended' | 'held' }
  | { kind: 'waiting'; tool: string; priority: Priority };

/** Reads records, event logs and output texts. */
@Injectable()
export class RunReader {
  private readonly redis: RedisClient;

  constructor(
    private readonly connections: RedisConnections,
    private readonly kinds: RunKinds,
  ) {
    this.redis = connections.commands;
  }

  async read(id: string): Promise<RunRecord | undefined> {
    const values = await this.redis.hmget(KEYS.record(id), ...RECORD_FIELDS);
    const fields = Object.fromEntries(
      RECORD_FIELDS.map((field, i) => [field, values[i] ?? '']),
    );
    if (!fields.status || fields.deleted === '1') return undefined;
    const hasText =
      fields.status === 'completed' || fields.status === 'incomplete';
    const waits = fields.status === 'queued';
    return toRecord(
      id,
      fields,
      hasText ? await this.readText(id) : null,
      waits
        ? await this.kinds.dispatcherOf(fields.tool).queuePosition(id)
        : null,
    );
  }

  /** How each of them stands now. */
  async states(ids: string[]): Promise<RunState[]> {
    // Read before the records, so that what is renewed in between is not taken for lost.
    const [seconds] = await this.redis.time();
    const now = Number(seconds) * 1000;
    return Promise.all(ids.map((id) => this.stateAt(now, id)));
  }

  private async stateAt(now: number, id: string): Promise<RunState> {
    const [status, schema, tool, priority, worker, lease] =
      await this.redis.hmget(
        KEYS.record(id),
        'status',
        'schema',
        'tool',
        'priority',
        'worker',
        'lease_ms',
      );
    if (!status || isFinal(status as Status)) return { kind: 'ended' };
    // What a newer version of the service wrote is brought to its end by that.
    const tooNew = isTooNew(schema ?? '', status);
    if (tooNew || status === 'requires_action') return { kind: 'held' };
    // Without a worker: put off until then.
    const due = Number(lease) + (worker ? 0 : OVERDUE_MS);
    return due > now
      ? { kind: 'held' }
      : { kind: 'waiting', tool: tool ?? '', priority: toPriority(priority) };
  }

  /** Which tool is to be run, in how many milliseconds (0 or less: now), and for how long it could have been. */
  async readPlan(
    id: string,
  ): Promise<{ tool: string; dueInMs: number; ageMs: number }> {
    const [tool, due, created] = await this.redis.hmget(
      KEYS.record(id),
      'tool',
      'due_ms',
      'created_ms',
    );
    const dueInMs = due ? await this.until(due) : 0;
    const ageMs = this.connections.clock.now() - Number(due || created);
    return { tool: tool ?? '', dueInMs, ageMs };
  }

  /** In how many milliseconds the time limit of a run passes; 0 if it is to stop; undefined if none has it. */
  async readEndsInMs(id: string): Promise<number | undefined> {
    const [status, cancel, deadline] = await this.redis.hmget(
      KEYS.record(id),
      'status',
      'cancel',
      'deadline_ms',
    );
    if (status !== 'running') return undefined;
    if (cancel === '1') return 0;
    return deadline ? Math.max(0, await this.until(deadline)) : undefined;
  }

  /** By the clock of Redis, as all that is timed. */
  private async until(ms: string): Promise<number> {
    const [seconds, micros] = await this.redis.time();
    const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
    return Number(ms) - now;
  }

  /** Undefined: there is no such record. */
  async readStatus(id: string): Promise<Status | undefined> {
    const status = await this.redis.hget(KEYS.record(id), 'status');
    return (status ?? undefined) as Status | undefined;
  }

  /** Everything that the record holds. */
  readFields(id: string): Promise<StoredFields> {
    return this.redis.hgetall(KEYS.record(id));
  }

  async readStanding(id: string): Promise<Standing> {
    const [status, schema, code] = await this.redis.hmget(
      KEYS.record(id),
      'status',
      'schema',
      'error_code',
    );
    return {
      status: (status || undefined) as Status | undefined,
      tooNew: Boolean(status) && isTooNew(schema ?? '', status!),
      errorCode: code ?? '',
    };
  }

  /** It goes on by itself, so not if it waits for a human. */
  async isUnfinished(id: string): Promise<boolean> {
    const [status, completed] = await this.redis.hmget(
      KEYS.record(id),
      'status',
      'completed_ms',
    );
    if (!status) return false;
    // Of what is called by a name that only a newer version knows, the time of its end is what says that it has ended.
    return isKnown(status) ? isUnderWay(status) : !completed;
  }

  async readText(id: string): Promise<string> {
    return (await this.redis.get(KEYS.text(id))) ?? '';
  }

  /** At most `limit` events after `seq`, oldest first. */
  async readLog(id: string, seq: number, limit: number): Promise<LogEvent[]> {
    const entries = await this.redis.xrange(
      KEYS.log(id),
      `(${seq}-0`,
      '+',
      'COUNT',
      limit,
    );
    return entries.map(toEvent);
  }

  /** Undefined: there is no such log. */
  async readLast(id: string): Promise<LogEvent | undefined> {
    const entries = await this.redis.xrevrange(
      KEYS.log(id),
      '+',
      '-',
      'COUNT',
      1,
    );
    return entries.map(toEvent)[0];
  }
}

function toEvent([entryId, fields]: [id: string, fields: string[]]): LogEvent {
  const { t, s, d } = pairs(fields);
  return {
    seq: Number.parseInt(entryId, 10),
    type: t as LogEvent['type'],
    status: s as Status,
    data: d,
  };
}

/** Field and value in turn, as Redis lists a hash. */
export function pairs(flat: string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let i = 0; i < flat.length; i += 2) record[flat[i]] = flat[i + 1];
  return record;
}
