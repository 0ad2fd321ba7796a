import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../platform/auth/caller';
import {
  mintInvocationToken,
  tokenMatches,
} from '../platform/auth/invocation-token';
import { checkTool } from '../platform/auth/scopes';
import { AppConfig } from '../config/config';
import { AppError } from '../platform/errors';
import { decisionRefused } from './record/suspension';
import { CallerRunsIndex } from './store/caller-runs-index';
import { RunKinds } from './queue/run-kinds';
import { EventLogSubscriber } from './events/event-log-subscriber';
import { IdempotencyStore } from './store/idempotency.store';
import { isUnderWay } from './record/run';
import type { LogEvent } from './record/run-event';
import { freshId, type IdPrefix, notFound } from './record/run-id';
import { ownerOf, type RunRecord } from './record/run-record';
import {
  type Accepted,
  RunSubmitter,
  type Keyed,
  type Submission,
} from './submit/run-submitter';
import { RunReader } from './store/run-reader';
import { RunDeletion } from './ending/run-deletion';
import { RunStore } from './store/run.store';
import { isEnding, timeLimit, waitLimit, within } from './record/time-limit';
import { traced } from '../platform/tracing/tracing';

/** Submits, reads, follows and ends runs, for the API and for chat alike. */
@Injectable()
export class RunsService {
  constructor(
    private readonly config: AppConfig,
    private readonly submitter: RunSubmitter,
    private readonly store: RunStore,
    private readonly reader: RunReader,
    private readonly kinds: RunKinds,
    private readonly callers: CallerRunsIndex,
    private readonly idempotency: IdempotencyStore,
    private readonly events: EventLogSubscriber,
    private readonly deletion: RunDeletion,
  ) {}

  /** By the clock of Redis. */
  now(): number {
    return this.callers.now();
  }

  /** Accepts work. When this returns, the work will reach a final status, whatever happens to this process. */
  async submit(submission: Submission): Promise<Accepted> {
    const { tool, arguments: given, faults, ...more } = submission;
    checkTool(more.caller.scopes, tool);
    const args = this.kinds.parse(tool, given, faults);
    return this.accept(tool, args, 'inv_', more);
  }

  /** The same with arguments that are checked already, of a kind that callers cannot name. */
  accept(
    tool: string,
    args: Record<string, unknown>,
    prefix: IdPrefix,
    keyed: Keyed,
  ): Promise<Accepted> {
    return traced(
      'internal',
      `submit ${tool}`,
      { kind: tool },
      async (span) => {
        const accepted = await this.acceptOnce(tool, args, prefix, keyed);
        span.set({ run: accepted.record.id });
        return accepted;
      },
    );
  }

  private async acceptOnce(
    tool: string,
    args: Record<string, unknown>,
    prefix: IdPrefix,
    { id: known, idempotency, ...more }: Keyed,
  ): Promise<Accepted> {
    const id = known ?? freshId(prefix, this.now());
    const acceptance = { ...more, derived: known !== undefined };
    if (!idempotency) return this.submitter.accept(id, tool, args, acceptance);
    const claim = await this.idempotency.claim(
      acceptance.caller.name,
      idempotency.key,
      idempotency.body,
      id,
    );
    const { accepted, invocationId } = claim;
    return accepted
      ? this.replay(invocationId)
      : this.submitter.accept(invocationId, tool, args, acceptance, claim);
  }

  /**
   * Accepts work that begins at `dueMs`, on behalf of another run: tokens that open that one open this one too. Safe to
   * repeat with the same id.
   * @param isPart the other run waits for it: it is neither listed nor announced, and capacity never refuses it.
   */
  async schedule(
    id: string,
    tool: string,
    args: Record<string, unknown>,
    dueMs: number,
    askedBy: string,
    isPart = false,
  ): Promise<void> {
    const earlier = await this.read(askedBy);
    const { tokenHashes, priority, webhook, requestId } = earlier;
    await this.submitter.accept(id, tool, args, {
      mode: 'background',
      caller: ownerOf(earlier),
      openedBy: tokenHashes,
      priority,
      webhook,
      requestId,
      dueMs,
      listed: !isPart,
      needed: isPart,
      derived: true,
    });
  }

  /** @throws AppError `invocation_not_found` or `chat_not_found`, `invalid_invocation_token`. */
  async open(
    id: string,
    caller: CallerIdentity,
    token: string | undefined,
    prefix: IdPrefix = 'inv_',
  ): Promise<RunRecord> {
    if (!id.startsWith(prefix)) throw notFound(prefix);
    const record = await this.read(id);
    const owns = record.caller !== undefined && record.caller === caller.name;
    if (owns || tokenMatches(token, record.tokenHashes)) return record;
    // A caller with a key of its own is not told that the record of another exists.
    throw caller.name === undefined
      ? new AppError('invalid_invocation_token')
      : notFound(id);
  }

  /** @throws AppError `invocation_not_found` or `chat_not_found`. */
  async read(id: string): Promise<RunRecord> {
    const record = await this.reader.read(id);
    if (!record) throw notFound(id);
    return record;
  }

  /** As `settled`, or as it is after `timeoutMs` or the longest wait of the service. */
  async wait(
    id: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<RunRecord> {
    const { maxWaitMs } = this.config.runs;
    const limit =
      timeoutMs < maxWaitMs
        ? timeLimit(timeoutMs, signal)
        : this.hold(id, maxWaitMs, signal);
    return within(limit, (until) => this.settled(id, until));
  }

  /** See `waitLimit`. */
  hold(id: string, ms: number, signal: AbortSignal) {
    return waitLimit(ms, signal, () => this.reader.readEndsInMs(id));
  }

  /** Whether a run is to stop, or its time limit is about to pass. */
  async isEnding(id: string): Promise<boolean> {
    return isEnding(await this.reader.readEndsInMs(id));
  }

  /** The record once it is final or requires action, or as it is when `signal` ends the wait. */
  async settled(id: string, signal: AbortSignal): Promise<RunRecord> {
    for (;;) {
      await this.events.ended(id, signal);
      const record = await this.read(id);
      // What it waited for may have been decided before it was read.
      if (!isUnderWay(record.status) || signal.aborted) return record;
    }
  }

  follow(
    id: string,
    afterSeq: number,
    signal: AbortSignal,
  ): AsyncGenerator<LogEvent> {
    return this.events.follow(id, afterSeq, signal);
  }

  readText(id: string): Promise<string> {
    return this.reader.readText(id);
  }

  /**
   * Notes decisions of a human by their keys, all or none, and answers how many are awaited still. After the last one any
   * worker goes on with the run.
   * @throws AppError `not_waiting`, `decision_conflict`, or `validation_failed` that names an unknown key after `path`.
   */
  async decide(
    { id, tool, priority }: RunRecord,
    decisions: Record<string, string>,
    path = 'decisions',
  ): Promise<number> {
    const outcome = await this.store.decide(id, decisions);
    if (outcome.kind !== 'ok') throw decisionRefused(outcome, id, path);
    if (outcome.left === 0)
      await this.kinds.dispatcherOf(tool).revive(id, priority);
    return outcome.left;
  }

  /** Asks for the end. A run that a worker holds ends a moment later, upstream included. */
  async cancel(record: RunRecord): Promise<RunRecord> {
    await this.deletion.cancel(record);
    return this.read(record.id);
  }

  /** The same for one that may have ended or be gone. */
  async stop(id: string): Promise<void> {
    const record = await this.reader.read(id);
    if (record) await this.deletion.cancel(record);
  }

  /** With everything that is kept on its account. */
  remove(record: RunRecord): Promise<void> {
    return this.deletion.remove(record);
  }

  /** What opens `record` opens these too. */
  async share(
    ids: readonly string[],
    { tokenHashes }: RunRecord,
  ): Promise<void> {
    await Promise.all(
      ids.flatMap((id) =>
        tokenHashes.map((hash) => this.store.addToken(id, hash)),
      ),
    );
  }

  private async replay(id: string): Promise<Accepted> {
    const record = await this.read(id);
    const { token, hash } = mintInvocationToken();
    await this.store.addToken(id, hash);
    return { record, token, replayed: true };
  }
}
