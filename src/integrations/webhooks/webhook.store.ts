import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import type { WebhookStatus } from '../../runs/record/run';
import type { RunField } from '../../runs/record/run-fields';
import { KEYS } from '../../runs/record/run-keys';
import { storedTime } from '../../runs/record/stored-fields';
import { type RunRecord, toRecord } from '../../runs/record/run-record';

const FIELDS = [
  'tool',
  'status',
  'metadata',
  'caller',
  'webhook',
  'webhook_form',
  'webhook_status',
  'webhook_attempts',
  'error_code',
  'completed_ms',
  'waiting_since_ms',
  'traceparent',
] as const satisfies readonly RunField[];

/** Never recreates a deleted record. The fields expire with it. */
const UPDATE = `
if redis.call('HEXISTS', KEYS[1], 'status') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'webhook_status', ARGV[1])
redis.call('HINCRBY', KEYS[1], 'webhook_attempts', ARGV[2])
return 1
`;

interface ScriptedClient {
  sondeWebhook(key: string, status: string, attempts: number): Promise<number>;
}

/** The fields of a run that has ended, or waits for decisions, that a webhook needs. */
export type EndedInvocation = Pick<
  RunRecord,
  | 'id'
  | 'tool'
  | 'status'
  | 'metadata'
  | 'caller'
  | 'webhook'
  | 'webhookDelivery'
  | 'error'
  | 'completedMs'
  | 'traceparent'
> & {
  /** Announced as a response, in the form of OpenAI. */
  isResponse: boolean;
  /** Since when it waits for decisions, in ms. */
  waitingSinceMs: number | null;
  /** Time until the record expires; negative: never. */
  expiresInMs: number;
};

/** The delivery state of a webhook, stored with the record, whose state it does not affect. */
@Injectable()
export class WebhookStore {
  private readonly redis: RedisClient;

  constructor(connections: RedisConnections) {
    this.redis = connections.commands;
    this.redis.defineCommand('sondeWebhook', { numberOfKeys: 1, lua: UPDATE });
  }

  /** Undefined if the record no longer exists. */
  async read(id: string): Promise<EndedInvocation | undefined> {
    const key = KEYS.record(id);
    const [values, expiresInMs] = await Promise.all([
      this.redis.hmget(key, ...FIELDS),
      this.redis.pttl(key),
    ]);
    const fields = Object.fromEntries(
      FIELDS.map((field, i) => [field, values[i] ?? '']),
    );
    if (!fields.status) return undefined;
    const isResponse = fields.webhook_form === 'response';
    const waitingSinceMs = storedTime(fields.waiting_since_ms);
    const record = toRecord(id, fields, null);
    return { ...record, isResponse, waitingSinceMs, expiresInMs };
  }

  /** Stores the state after `attempts` more attempts. False if the record no longer exists. */
  async update(
    id: string,
    status: WebhookStatus,
    attempts: number,
  ): Promise<boolean> {
    const scripts = this.redis as unknown as ScriptedClient;
    return (
      (await scripts.sondeWebhook(KEYS.record(id), status, attempts)) === 1
    );
  }
}
