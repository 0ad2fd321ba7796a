import { Injectable } from '@nestjs/common';
import { type RedisClient, RedisConnections } from '../redis/redis-connections';
import type { Priority } from '../tools/tool';
import { isFinal, type LogEvent, type Status } from './invocation';
import { KEYS } from './invocation.keys';
import {
  type InvocationRecord,
  RECORD_FIELDS,
  toPriority,
  toRecord,
} from './invocation.record';

/** Reads records, event logs and output texts. */
@Injectable()
export class InvocationReader {
  private readonly redis: RedisClient;

  constructor(connections: RedisConnections) {
    this.redis = connections.commands;
  }

  async read(id: string): Promise<InvocationRecord | undefined> {
    const values = await this.redis.hmget(KEYS.record(id), ...RECORD_FIELDS);
    const fields = Object.fromEntries(
      RECORD_FIELDS.map((field, i) => [field, values[i] ?? '']),
    );
    if (!fields.status || fields.deleted === '1') return undefined;
    const hasText =
      fields.status === 'completed' || fields.status === 'incomplete';
    return toRecord(id, fields, hasText ? await this.readText(id) : null);
  }

  /** Whether somebody holds it (`held`), nobody does though somebody should (`waiting`), or nothing is left to do. */
  async state(
    id: string,
  ): Promise<
    | { kind: 'ended' | 'held' }
    | { kind: 'waiting'; tool: string; priority: Priority }
  > {
    const [status, tool, priority, worker, lease] = await this.redis.hmget(
      KEYS.record(id),
      'status',
      'tool',
      'priority',
      'worker',
      'lease_ms',
    );
    if (!status || isFinal(status as Status)) return { kind: 'ended' };
    const [seconds] = await this.redis.time();
    const held = worker && Number(lease) > Number(seconds) * 1000;
    return held
      ? { kind: 'held' }
      : { kind: 'waiting', tool: tool ?? '', priority: toPriority(priority) };
  }

  async isUnfinished(id: string): Promise<boolean> {
    const status = await this.redis.hget(KEYS.record(id), 'status');
    return status !== null && !isFinal(status as Status);
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
    return entries.map(([entryId, fields]) => {
      const { t, s, d } = pairs(fields);
      return {
        seq: Number.parseInt(entryId, 10),
        type: t as LogEvent['type'],
        status: s as Status,
        data: d,
      };
    });
  }
}

/** Field and value in turn, as Redis lists a hash. */
export function pairs(flat: string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let i = 0; i < flat.length; i += 2) record[flat[i]] = flat[i + 1];
  return record;
}
