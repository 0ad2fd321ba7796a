import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import {
  isFinal,
  isKnown,
  isUnderWay,
  type Priority,
  type Status,
} from '../record/run';
import { QueuePositions } from '../record/queue-positions';
import type { LogEvent } from '../record/run-event';
import { KEYS } from '../record/run-keys';
import {
  type RunRecord,
  isTooNew,
  toPriority,
  toRecord,
} from '../record/run-record';
import type { FieldsOf, RunField } from '../record/run-fields';
import { RECORD_FIELDS } from '../record/shown/record-fields';
import type { StoredFields } from '../record/stored-fields';
import { waitingFor } from '../record/shown/waiting';

/** A rescheduled run may be so much late before it counts as overdue. */
const OVERDUE_MS = 10_000;

/** What a worker has to know of a run before it may claim it. */
export interface Standing {
  /** Undefined: there is no such record. */
  status: Status | undefined;
  tooNew: boolean;
}

/** `held`: a worker holds it or will continue it, or a decision is awaited. `waiting`: no worker holds it though one should. */
export type RunState =
  | { kind: 'ended' | 'held' }
  | { kind: 'waiting'; tool: string; priority: Priority };

/** Reads records, event logs and output texts. */
@Injectable()
export class RunReader {
  private readonly redis: RedisClient;

  constructor(
    private readonly connections: RedisConnections,
    private readonly positions: QueuePositions,
  ) {
    this.redis = connections.commands;
  }

  async read(id: string): Promise<RunRecord | undefined> {
    const fields = await this.readSome(id, ...RECORD_FIELDS);
    if (!fields.status || fields.deleted === '1') return undefined;
    const hasText =
      fields.status === 'completed' || fields.status === 'incomplete';
    const waits = fields.status === 'queued';
    return toRecord(
      id,
      fields,
      hasText ? await this.readText(id) : null,
      waits ? await this.positions.positionOf(fields.tool ?? '', id) : null,
      await waitingFor(fields, {
        now: this.connections.clock.now(),
        hasWorker: () => this.positions.hasWorker(fields.tool ?? ''),
        lastProgress: () => this.readProgress(id),
      }),
    );
  }

  private async readProgress(id: string): Promise<string | undefined> {
    const last = await this.readLast(id);
    return last?.type === 'progress' ? last.data : undefined;
  }

  /** The state of each of them now. */
  async states(ids: string[]): Promise<RunState[]> {
    // Read before the records, so that a lease that is renewed in between does not count as lost.
    const [seconds] = await this.redis.time();
    const now = Number(seconds) * 1000;
    return Promise.all(ids.map((id) => this.stateAt(now, id)));
  }

  private async stateAt(now: number, id: string): Promise<RunState> {
    const { status, schema, tool, priority, worker, lease_ms } =
      await this.readSome(
        id,
        'status',
        'schema',
        'tool',
        'priority',
        'worker',
        'lease_ms',
      );
    if (!status || isFinal(status as Status)) return { kind: 'ended' };
    // A record of a newer version of the service is ended by that version.
    const tooNew = isTooNew(schema ?? '', status);
    if (tooNew || status === 'requires_action') return { kind: 'held' };
    // Without a worker: rescheduled until then.
    const due = Number(lease_ms) + (worker ? 0 : OVERDUE_MS);
    return due > now
      ? { kind: 'held' }
      : { kind: 'waiting', tool: tool ?? '', priority: toPriority(priority) };
  }

  /** Which tool is to be run, in how many milliseconds (0 or less: now), and for how long it could have been. */
  async readPlan(
    id: string,
  ): Promise<{ tool: string; dueInMs: number; ageMs: number }> {
    const { tool, due_ms, created_ms } = await this.readSome(
      id,
      'tool',
      'due_ms',
      'created_ms',
    );
    const dueInMs = due_ms ? await this.until(due_ms) : 0;
    const ageMs = this.connections.clock.now() - Number(due_ms || created_ms);
    return { tool: tool ?? '', dueInMs, ageMs };
  }

  /** In how many milliseconds the time limit of a run passes; 0 if it is to stop; undefined if none has it. */
  async readEndsInMs(id: string): Promise<number | undefined> {
    const { status, cancel, deadline_ms } = await this.readSome(
      id,
      'status',
      'cancel',
      'deadline_ms',
    );
    if (status !== 'running') return undefined;
    if (cancel === '1') return 0;
    return deadline_ms ? Math.max(0, await this.until(deadline_ms)) : undefined;
  }

  /** By the clock of Redis, as all that is timed. */
  private async until(ms: string): Promise<number> {
    const [seconds, micros] = await this.redis.time();
    const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
    return Number(ms) - now;
  }

  /** Undefined: there is no such record. */
  async readStatus(id: string): Promise<Status | undefined> {
    const { status } = await this.readSome(id, 'status');
    return (status || undefined) as Status | undefined;
  }

  /** Some fields of a record: those of the kernel, and `F` of its kind. A field that is not there is ''. */
  async readSome<F extends string = RunField>(
    id: string,
    ...names: (F | RunField)[]
  ): Promise<FieldsOf<F | RunField>> {
    const values = await this.redis.hmget(KEYS.record(id), ...names);
    return Object.fromEntries(
      names.map((name, i) => [name, values[i] ?? '']),
    ) as FieldsOf<F | RunField>;
  }

  /** Everything that the record holds. */
  readFields(id: string): Promise<StoredFields> {
    return this.redis.hgetall(KEYS.record(id));
  }

  async readStanding(id: string): Promise<Standing> {
    const { status, schema } = await this.readSome(id, 'status', 'schema');
    return {
      status: (status || undefined) as Status | undefined,
      tooNew: Boolean(status) && isTooNew(schema ?? '', status!),
    };
  }

  /** It continues by itself, so not while it is suspended. */
  async isUnfinished(id: string): Promise<boolean> {
    const { status, completed_ms } = await this.readSome(
      id,
      'status',
      'completed_ms',
    );
    if (!status) return false;
    // A status that only a newer version knows is final if the time of its end is written.
    return isKnown(status) ? isUnderWay(status) : !completed_ms;
  }

  /** @param most bytes from its beginning; all without it. */
  async readText(id: string, most?: number): Promise<string> {
    if (most !== undefined)
      return this.redis.getrange(KEYS.text(id), 0, most - 1);
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
