import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../platform/auth/caller';
import { tokenMatches } from '../platform/auth/invocation-token';
import { checkTool } from '../platform/auth/scopes';
import { AppConfig } from '../config/config';
import { AppError, type FieldError } from '../platform/errors';
import { decisionRefused } from './record/suspension';
import { CallerRunsIndex } from './store/caller-runs-index';
import { RunKinds } from './queue/run-kinds';
import { EventLogSubscriber } from './events/event-log-subscriber';
import { isUnderWay } from './record/run';
import type { LogEvent } from './record/run-event';
import { freshId, type IdPrefix, notFound } from './record/run-id';
import type { RunRecord } from './record/run-record';
import { type Accepted, RunSubmitter } from './submit/run-submitter';
import type {
  NeededRun,
  ParkedRun,
  ScheduledRun,
  Submission,
  Work,
} from './submit/submission';
import { RunReader } from './store/run-reader';
import { FollowUpsStore } from './store/follow-ups.store';
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
    private readonly events: EventLogSubscriber,
    private readonly deletion: RunDeletion,
    private readonly followUps: FollowUpsStore,
  ) {}

  /** By the clock of Redis. */
  now(): number {
    return this.callers.now();
  }

  /**
   * Arguments as a run of this tool takes them, for a caller that may use it.
   * @param faults of the request that are known already; reported together with those of the arguments.
   */
  check({ tool, arguments: given, caller }: Work, faults?: FieldError[]) {
    checkTool(caller.scopes, tool);
    return this.kinds.parse(tool, given, faults);
  }

  /** Accepts work. When this returns, the work will reach a final status, whatever happens to this process. */
  async submit(
    submission: Submission,
    faults?: FieldError[],
  ): Promise<Accepted> {
    const args = this.check(submission, faults);
    return this.submitChecked('inv_', { ...submission, arguments: args });
  }

  /** The same with arguments that are checked already, of a kind that callers cannot name. */
  async submitChecked(
    prefix: IdPrefix,
    submission: Submission,
  ): Promise<Accepted> {
    const id = freshId(prefix, this.now());
    const accepted = await accepting(submission, () =>
      this.submitter.submit(id, submission),
    );
    const { parent, id: own } = accepted.record;
    // What is accepted is not refused for want of a link.
    if (parent) await this.followUps.add(parent, own).catch(() => undefined);
    return accepted;
  }

  /** See `ParkedRun`. */
  park(prefix: IdPrefix, run: ParkedRun): Promise<Accepted> {
    const id = freshId(prefix, this.now());
    return accepting(run, () => this.submitter.park(id, run));
  }

  /** See `NeededRun`. */
  continue(run: NeededRun): Promise<Accepted> {
    return accepting(run, () => this.submitter.continue(run));
  }

  /** See `ScheduledRun`. */
  async schedule(askedBy: string, run: ScheduledRun): Promise<void> {
    await this.submitter.schedule(await this.read(askedBy), run);
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
}

function accepting(
  { tool }: Work,
  accept: () => Promise<Accepted>,
): Promise<Accepted> {
  return traced('internal', `submit ${tool}`, { kind: tool }, async (span) => {
    const accepted = await accept();
    span.set({ run: accepted.record.id });
    return accepted;
  });
}
