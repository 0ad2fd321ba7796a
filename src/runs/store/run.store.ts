import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import type {
  Suspension,
  SuspendOutcome,
  DecideOutcome,
} from '../record/suspension';
import {
  type CancelOutcome,
  type Claim,
  type ClaimOutcome,
  type Finish,
  type FinishOutcome,
  type Heartbeat,
  toClaimOutcome,
  toHeartbeat,
} from './run-claim';
import { isProgress, type RunEvent } from '../record/run-event';
import { type FieldsOf, flat } from '../record/run-fields';
import { RUN_OPERATIONS } from './run.script';
import { type RunRecord, toRecord } from '../record/run-record';
import { ScriptRunner } from './script-runner';

/** A model is named by the endpoint. */
const MAX_NAME = 200;
const CANCELLED = JSON.stringify({
  code: 'cancelled',
  message: 'The invocation was cancelled.',
});

export type { CancelOutcome, Claim, Finish };

export interface Append {
  events?: RunEvent[];
  text?: string;
  fields?: FieldsOf<string>;
  /** Of the journal. A record with a journal has schema JOURNAL_SCHEMA. */
  entries?: Readonly<Record<string, string>>;
}

/** Why nothing of an `append` was written. */
export type AppendRefused =
  'fenced' | 'final' | 'too_large' | 'journal_too_large';

/** Changes records, their event logs and output texts, always by operations of the script. */
@Injectable()
export class RunStore {
  private readonly script: ScriptRunner;

  constructor(
    connections: RedisConnections,
    private readonly config: AppConfig,
  ) {
    this.script = new ScriptRunner(connections.commands, RUN_OPERATIONS);
  }

  /** The record as it was created; undefined if there is one of this id already. */
  async create(
    id: string,
    fields: FieldsOf<string>,
  ): Promise<RunRecord | undefined> {
    const [outcome, now] = await this.script.run('create', id, ...flat(fields));
    if (outcome !== 'ok') return undefined;
    return toRecord(
      id,
      { ...fields, status: 'queued', seq: '1', created_ms: String(now) },
      null,
    );
  }

  async addToken(id: string, hash: string): Promise<void> {
    await this.script.run('add_token', id, hash);
  }

  async claim(
    id: string,
    worker: string,
    timeLimitMs: number,
  ): Promise<ClaimOutcome> {
    const reply = await this.script.run(
      'claim',
      id,
      worker,
      this.config.runs.leaseMs,
      timeLimitMs,
    );
    return toClaimOutcome(id, reply);
  }

  /** Undefined: the claim is lost. */
  async heartbeat(id: string, fence: string): Promise<Heartbeat | undefined> {
    const reply = await this.script.run(
      'heartbeat',
      id,
      fence,
      this.config.runs.leaseMs,
    );
    return toHeartbeat(reply);
  }

  /** Releases a run. `dueMs`: in how many milliseconds a worker is to continue it. `survived`: it was carried without a crash, and pauses. */
  async release(
    id: string,
    fence: string,
    dueMs = 0,
    attempt: 'ends' | 'pauses' | 'survived' = 'ends',
  ): Promise<void> {
    await this.script.run('release', id, fence, dueMs, attempt);
  }

  /** A claim was lost, and its worker had not crashed: it could not reach Redis. Safe to repeat. */
  async uncountCrash(id: string, fence: string): Promise<void> {
    await this.script.run('uncount_crash', id, fence);
  }

  /** Reports why a run has not begun, once for each reason that follows another. */
  async noteWait(id: string, reason: string, detail: string): Promise<void> {
    const data = JSON.stringify({ kind: 'waiting', detail });
    const progress = { searches: 0, pages_opened: 0, last_step: detail };
    await this.script.run(
      'note_wait',
      id,
      data,
      JSON.stringify(progress),
      reason,
    );
  }

  /** Writes that the events have a reader for so long. `waiting`: no worker holds the run now. */
  async follow(
    id: string,
    forMs: number,
  ): Promise<{ kind: 'held' | 'waiting'; tool: string } | undefined> {
    const [kind, tool] = await this.script.run('follow', id, forMs);
    if (kind !== 'held' && kind !== 'waiting') return undefined;
    return { kind, tool: String(tool) };
  }

  /**
   * Adds text and events after event `seq`, and writes entries of the journal and fields, all in one step. Safe to repeat
   * with the same `seq` after a lost reply: an event makes a repetition known, and entries and fields are absolute values.
   * Text needs an event of its own for that.
   * Returns the new last `seq`, or why nothing was written.
   */
  async append(
    id: string,
    fence: string,
    seq: number,
    { events = [], text = '', fields = {}, entries = {} }: Append,
  ): Promise<number | AppendRefused> {
    const written = flat(entries);
    const progressed = text !== '' || events.some(isProgress);
    const [outcome, last] = await this.script.run(
      'append',
      id,
      fence,
      seq,
      this.config.runs.maxOutputBytes,
      this.config.runs.retentionMs,
      text,
      events.length,
      ...events.flatMap((event) => [event.type, JSON.stringify(event.data)]),
      written.length / 2,
      ...written,
      ...flat(progressed ? { ...fields, crashes: '0' } : fields),
    );
    return outcome === 'ok' ? Number(last) : (outcome as AppendRefused);
  }

  /** Its attachments are removed: from now on a run that was deleted may end. */
  async purged(id: string): Promise<void> {
    await this.script.run('purged', id);
  }

  /** Everything that is due at its end has been done, and is not repeated when it is removed. */
  async settled(id: string): Promise<void> {
    await this.script.run('settled', id);
  }

  /** `fence` undefined: without a claim, which is refused while a worker holds the run. */
  async finish(
    id: string,
    fence: string | undefined,
    { status, error, fields = {}, model }: Finish,
  ): Promise<FinishOutcome> {
    const [outcome] = await this.script.run(
      'finish',
      id,
      fence ?? '',
      status,
      this.config.runs.retentionMs,
      status === 'completed' ? 'completed' : 'error',
      JSON.stringify(error ?? {}),
      ...flat({ ...fields, model: model?.slice(0, MAX_NAME) }),
      ...(error
        ? ['error_code', error.code, 'error_message', error.message]
        : []),
    );
    return outcome as FinishOutcome;
  }

  /** Suspends a run until decisions are made. `fence` undefined: before a worker has begun it. Safe to repeat. */
  async await(
    id: string,
    fence: string | undefined,
    { keys, data, fields }: Suspension,
  ): Promise<SuspendOutcome> {
    const [outcome] = await this.script.run(
      'await',
      id,
      fence ?? '',
      this.config.runs.retentionMs,
      CANCELLED,
      JSON.stringify(keys),
      JSON.stringify(data),
      ...flat(fields),
    );
    return outcome as SuspendOutcome;
  }

  /** Writes decisions by their keys, all or none. The claim that follows the last one has each as `decision:<key>`. */
  async decide(
    id: string,
    decisions: Record<string, string>,
  ): Promise<DecideOutcome> {
    const [kind, detail] = await this.script.run(
      'decide',
      id,
      ...Object.entries(decisions).flat(),
    );
    const named = kind === 'ok' ? { left: Number(detail) } : { key: detail };
    return { kind, ...named } as DecideOutcome;
  }

  /** `requested`: its worker will end it; `unheld`: the next one will. `remove`: the record is removed as soon as it has ended. */
  async cancel(
    id: string,
    options: { remove: boolean },
  ): Promise<CancelOutcome> {
    const [outcome] = await this.script.run(
      'cancel',
      id,
      this.config.runs.retentionMs,
      CANCELLED,
      options.remove ? '1' : '0',
    );
    return outcome as CancelOutcome;
  }
}
