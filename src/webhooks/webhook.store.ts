import { Injectable } from '@nestjs/common';
import { type RedisClient, RedisConnections } from '../redis/redis-connections';
import type { WebhookStatus } from '../runs/run';
import type { RunField } from '../runs/record/run.fields';
import { KEYS } from '../runs/record/run.keys';
import { type RunRecord, toRecord } from '../runs/record/run.record';

const FIELDS = [
  'tool',
  'status',
  'caller',
  'webhook',
  'webhook_status',
  'webhook_attempts',
  'error_code',
  'completed_ms',
] as const satisfies readonly RunField[];

/** Never brings back a record that was deleted meanwhile. The fields expire with it. */
const NOTE = `
if redis.call('HEXISTS', KEYS[1], 'status') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'webhook_status', ARGV[1])
redis.call('HINCRBY', KEYS[1], 'webhook_attempts', ARGV[2])
return 1
`;

interface ScriptedClient {
  sondeWebhook(key: string, status: string, tries: number): Promise<number>;
}

/** What an announcement is made of. */
export type EndedInvocation = Pick<
  RunRecord,
  | 'id'
  | 'tool'
  | 'status'
  | 'caller'
  | 'webhook'
  | 'webhookDelivery'
  | 'error'
  | 'completedMs'
> & {
  /** How long the record is still kept; negative: without limit. */
  keptMs: number;
};

/** How far the announcement of an end has come, kept beside the record, which goes on without it. */
@Injectable()
export class WebhookStore {
  private readonly redis: RedisClient;

  constructor(connections: RedisConnections) {
    this.redis = connections.commands;
    this.redis.defineCommand('sondeWebhook', { numberOfKeys: 1, lua: NOTE });
  }

  /** Undefined: there is no such record any more. */
  async read(id: string): Promise<EndedInvocation | undefined> {
    const key = KEYS.record(id);
    const [values, keptMs] = await Promise.all([
      this.redis.hmget(key, ...FIELDS),
      this.redis.pttl(key),
    ]);
    const fields = Object.fromEntries(
      FIELDS.map((field, i) => [field, values[i] ?? '']),
    );
    if (!fields.status) return undefined;
    return { ...toRecord(id, fields, null), keptMs };
  }

  /** Notes what has come of `tries` more of them. False: there is no such record any more. */
  async note(
    id: string,
    status: WebhookStatus,
    tries: number,
  ): Promise<boolean> {
    const scripts = this.redis as unknown as ScriptedClient;
    return (await scripts.sondeWebhook(KEYS.record(id), status, tries)) === 1;
  }
}
