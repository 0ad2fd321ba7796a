import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/config';
import type { ErrorCode } from '../errors';
import { type RedisClient, RedisConnections } from '../redis/redis-connections';
import type { FinalStatus, LostAdoption, RunEvent } from './invocation';
import { KEYS } from './invocation.keys';
import { pairs } from './invocation.reader';
import { type InvocationRecord, toRecord } from './invocation.record';
import { INVOCATION_SCRIPT } from './invocation.script';

interface ScriptedClient {
  sondeInvocation(...args: (string | number)[]): Promise<unknown[]>;
}

/** A worker's hold on a run. Writes with an older fence are refused. */
export interface Claim {
  id: string;
  fence: string;
  fields: Record<string, string>;
  /** What was already written of the output. */
  text: string;
  /** Milliseconds until the time limit of the run, by the server's clock. */
  remainingMs: number;
  /** Since it was begun, in milliseconds. */
  ageMs: number;
  /** For how many milliseconds somebody will surely read its events. */
  followedMs: number;
  /** How many workers disappeared while they held this run. */
  crashes: number;
}

export type ClaimOutcome =
  | { kind: 'claimed'; claim: Claim }
  | { kind: 'held'; forMs: number }
  | { kind: 'final' | 'missing' };

export interface Append {
  events?: RunEvent[];
  text?: string;
  fields?: Record<string, string>;
}

export type CancelOutcome =
  'final' | 'cancelled' | 'requested' | 'unheld' | 'missing';

export interface Finish {
  status: FinalStatus;
  error?: { code: ErrorCode; message: string };
  fields?: Record<string, string>;
}

/** Changes records, their event logs and output texts, always through the one script. */
@Injectable()
export class InvocationStore {
  private readonly redis: RedisClient;
  private readonly scripts: ScriptedClient;

  constructor(
    connections: RedisConnections,
    private readonly config: AppConfig,
  ) {
    this.redis = connections.commands;
    this.redis.defineCommand('sondeInvocation', {
      numberOfKeys: 3,
      lua: INVOCATION_SCRIPT,
    });
    this.scripts = this.redis as unknown as ScriptedClient;
  }

  /** The record as it was created; undefined if there is one of this id already. */
  async create(
    id: string,
    fields: Record<string, string>,
  ): Promise<InvocationRecord | undefined> {
    const [outcome, now] = await this.run(
      'create',
      id,
      ...Object.entries(fields).flat(),
    );
    if (outcome !== 'ok') return undefined;
    return toRecord(
      id,
      { ...fields, status: 'queued', seq: '1', created_ms: String(now) },
      null,
    );
  }

  async addToken(id: string, hash: string): Promise<void> {
    await this.run('add_token', id, hash);
  }

  async claim(
    id: string,
    worker: string,
    timeLimitMs: number,
  ): Promise<ClaimOutcome> {
    const [kind, number, fields, text] = await this.run(
      'claim',
      id,
      worker,
      this.config.research.leaseMs,
      timeLimitMs,
    );
    if (kind === 'held') return { kind, forMs: Number(number) };
    if (kind !== 'claimed') return { kind: kind as 'final' | 'missing' };
    const record = pairs(fields as string[]);
    const claim: Claim = {
      id,
      fence: record.fence,
      fields: record,
      text: String(text),
      remainingMs: Number(record.deadline_ms) - Number(number),
      ageMs: Number(number) - Number(record.started_ms),
      followedMs: Number(record.followed_ms ?? 0) - Number(number),
      crashes: Number(record.crashes),
    };
    return { kind: 'claimed', claim };
  }

  /** Undefined: the run is somebody else's, or nobody's, by now. */
  async heartbeat(
    id: string,
    fence: string,
  ): Promise<{ cancelled: boolean; followedMs: number } | undefined> {
    const [outcome, cancel, followedMs] = await this.run(
      'heartbeat',
      id,
      fence,
      this.config.research.leaseMs,
    );
    if (outcome !== 'ok') return undefined;
    return { cancelled: cancel === '1', followedMs: Number(followedMs) };
  }

  /** Lets go of a run. `dueMs`: when somebody is to go on with it. */
  async release(id: string, fence: string, dueMs = 0): Promise<void> {
    await this.run('release', id, fence, dueMs);
  }

  /** Notes that somebody reads the events, for so long. `waiting`: no worker holds it now. */
  async follow(
    id: string,
    forMs: number,
  ): Promise<{ kind: 'held' | 'waiting'; tool: string } | undefined> {
    const [kind, tool] = await this.run('follow', id, forMs);
    if (kind !== 'held' && kind !== 'waiting') return undefined;
    return { kind, tool: String(tool) };
  }

  /** Notes the upstream's id of a run, unless there is one; answers the one that holds; undefined if fenced. */
  async adopt(
    id: string,
    fence: string,
    upstreamId: string,
  ): Promise<string | undefined> {
    const [outcome, holds] = await this.run('adopt', id, fence, upstreamId);
    return outcome === 'ok' ? String(holds) : undefined;
  }

  /** Notes what the attempt on record has bought, on behalf of the worker that holds the run or will. */
  async adoptLost(
    id: string,
    attempt: string,
    bought: string,
  ): Promise<LostAdoption> {
    const [outcome, held] = await this.run('adopt_lost', id, attempt, bought);
    return { outcome, held: held === '1' } as LostAdoption;
  }

  /**
   * Adds text and events after event `seq`. Safe to repeat with the same `seq` after a lost reply.
   * Answers the new last `seq`, or why nothing was written.
   */
  async append(
    id: string,
    fence: string,
    seq: number,
    { events = [], text = '', fields = {} }: Append,
  ): Promise<number | 'fenced' | 'final' | 'too_large'> {
    const [outcome, last] = await this.run(
      'append',
      id,
      fence,
      seq,
      this.config.invocations.maxOutputBytes,
      text,
      events.length,
      ...events.flatMap((event) => [event.type, JSON.stringify(event.data)]),
      ...Object.entries(fields).flat(),
    );
    return outcome === 'ok'
      ? Number(last)
      : (outcome as 'fenced' | 'final' | 'too_large');
  }

  /** `fence` undefined: on behalf of nobody, which a run that somebody holds refuses. */
  async finish(
    id: string,
    fence: string | undefined,
    { status, error, fields = {} }: Finish,
  ): Promise<'ok' | 'final' | 'fenced' | 'held' | 'missing'> {
    const [outcome] = await this.run(
      'finish',
      id,
      fence ?? '',
      status,
      this.config.invocations.retentionMs,
      status === 'completed' ? 'completed' : 'error',
      JSON.stringify(error ?? {}),
      ...Object.entries(fields).flat(),
      ...(error
        ? ['error_code', error.code, 'error_message', error.message]
        : []),
    );
    return outcome as 'ok' | 'final' | 'fenced' | 'held' | 'missing';
  }

  /** `requested`: whoever runs it will end it; `unheld`: the next who does. `remove`: the record goes as soon as it has ended. */
  async cancel(
    id: string,
    options: { remove: boolean },
  ): Promise<CancelOutcome> {
    const [outcome] = await this.run(
      'cancel',
      id,
      this.config.invocations.retentionMs,
      JSON.stringify({
        code: 'cancelled',
        message: 'The invocation was cancelled.',
      }),
      options.remove ? '1' : '0',
    );
    return outcome as CancelOutcome;
  }

  private run(
    operation: string,
    id: string,
    ...args: (string | number)[]
  ): Promise<unknown[]> {
    return this.scripts.sondeInvocation(
      KEYS.record(id),
      KEYS.log(id),
      KEYS.text(id),
      operation,
      KEYS.channel(id),
      ...args,
    );
  }
}
