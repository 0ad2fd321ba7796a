import { Injectable, Logger } from '@nestjs/common';
import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import { isRedisUnavailable } from '../../platform/redis/redis-unavailable';
import { type RunJob, JOB_ATTEMPTS, JOB_PRIORITY } from '../queue/run-queue';
import type { Claim, Finish } from '../store/run-claim';
import { RunDeletion } from '../ending/run-deletion';
import { RunReader } from '../store/run-reader';
import { RunStore } from '../store/run.store';
import { type SuspendOutcome, Suspension } from '../record/suspension';
import { inRunTrace } from '../../platform/tracing/tracing';
import { isFinal, isUnderWay } from '../record/run';
import { RunKinds } from '../queue/run-kinds';
import { EndListeners } from '../ending/end-listeners';
import { ActiveRuns } from './active-runs';
import type { ActiveRun } from './active-run';
import { isCulprit, Quarantine } from './quarantine';
import { JobLog } from '../ending/job-log';
import { type JobResult, RESULT_FIELDS, resultIn } from '../ending/job-result';
import type { RunHandler } from './run.handler';
import { RunLog } from '../ending/run-log';
import { ended, Rescheduled } from './run-outcome';

/** After the lease of a silent worker has run out, another may take over. */
const LEASE_MARGIN_MS = 500;
/** A run that only a newer version of the service can continue is put back for so long, for that version's workers. */
const TOO_NEW_MS = 1_000;

/**
 * Carries out what the queues deliver. A delivery is only a hint: the record decides whether there is work, and whose it
 * is.
 */
@Injectable()
export class RunProcessor {
  private readonly log = new Logger('RunProcessor');
  /** Deliveries that end because their run is suspended. */
  private readonly suspended = new WeakSet<Job>();

  constructor(
    private readonly store: RunStore,
    private readonly reader: RunReader,
    private readonly endings: EndListeners,
    private readonly deletion: RunDeletion,
    private readonly active: ActiveRuns,
    private readonly kinds: RunKinds,
    private readonly quarantine: Quarantine,
  ) {}

  /** Returns how the run ended, if it did. */
  async process(
    handler: RunHandler,
    job: Job<RunJob>,
    token?: string,
  ): Promise<JobResult | void> {
    const id = job.data.invocation_id;
    const { status, tooNew } = await this.reader.readStanding(id);
    if (tooNew && !isFinal(status!)) return reschedule(job, TOO_NEW_MS, token);
    if (status === 'requires_action') {
      this.suspended.add(job);
      return this.endings.suspended(id);
    }
    // One that has ended must not be admitted again.
    if (!status || !isUnderWay(status)) {
      await this.endings.settle(id);
      return shown(await this.result(id));
    }
    const rank = job.opts.priority ?? JOB_PRIORITY.normal;
    const admitted = await handler.admit(id, rank);
    if ('retryMs' in admitted) return reschedule(job, admitted.retryMs, token);
    const outcome = await this.store.claim(
      id,
      this.active.worker,
      admitted.timeLimitMs,
    );
    // Delivered twice, or its worker has just died: by then its lease is renewed or has run out.
    if (outcome.kind === 'held')
      return reschedule(job, outcome.forMs + LEASE_MARGIN_MS, token);
    if (outcome.kind === 'too_new') return reschedule(job, TOO_NEW_MS, token);
    if (outcome.kind === 'claimed') {
      const { traceparent } = outcome.claim.fields;
      const carry = () => this.carry(handler, job, outcome.claim, token);
      return shown(await inRunTrace({ id, traceparent }, carry));
    }
    if (outcome.kind === 'waiting') this.suspended.add(job);
    else await this.endings.settle(id);
  }

  /**
   * A decision that arrives before a delivery has ended cannot add another one, so this one is retried. If the process
   * dies before that, the reconciler revives the run.
   */
  async onCompleted(job: Job<RunJob>): Promise<void> {
    if (!this.suspended.delete(job)) return;
    try {
      const status = await this.reader.readStatus(job.data.invocation_id);
      if (status === 'queued')
        await job.retry('completed', { resetAttemptsMade: true });
    } catch (error) {
      // It was delivered again in between, or Redis is unavailable.
      this.log.debug(error);
    }
  }

  private async carry(
    handler: RunHandler,
    job: Job<RunJob>,
    claim: Claim,
    token: string | undefined,
  ): Promise<JobResult | void> {
    const { id, fence } = claim;
    const lines = new JobLog(this.kinds.dispatcherOf(claim.fields.tool), claim);
    const log = new RunLog(claim, lines);
    log.claimed(claim, this.active.worker);
    let run: ActiveRun | undefined;
    try {
      if (isCulprit(claim)) {
        const ending = await handler.abandon(claim);
        await this.quarantine.found(id);
        return await this.end(id, fence, ending, log);
      }
      const wait = await this.quarantine.enter(claim);
      if (wait) {
        log.quarantined();
        await this.store.release(id, fence, wait.retryMs, 'pauses');
        return await reschedule(job, wait.retryMs, token);
      }
      const held = (run = this.active.hold(claim));
      const outcome = await lines.during(() => handler.run(claim, held));
      if (outcome === 'lost') {
        log.lost();
        return await this.active.lost(held);
      }
      if (outcome instanceof Rescheduled) {
        const isStopped = run.signal.reason === 'shutdown';
        if (isStopped) log.handedOver();
        const attempt = isStopped ? 'ends' : 'survived';
        await this.store.release(id, fence, outcome.dueMs, attempt);
        return await reschedule(job, outcome.dueMs, token);
      }
      if (outcome instanceof Suspension)
        return await this.suspend(job, claim, outcome, log, token);
      return await this.end(id, fence, outcome, log);
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      return await this.giveUp(job, claim, error, log);
    } finally {
      if (run) this.active.free(run);
      this.quarantine.leave(id);
    }
  }

  /** Releases the run: a decision may take hours. */
  private async suspend(
    job: Job<RunJob>,
    { id, fence }: Claim,
    suspension: Suspension,
    log: RunLog,
    token: string | undefined,
  ): Promise<void> {
    const outcome = await this.endings.ending(
      id,
      () => this.purging(id, () => this.store.await(id, fence, suspension)),
      (came) => came !== 'cancelled',
    );
    if (outcome === 'queued') return reschedule(job, 0, token);
    if (outcome === 'cancelled') log.ended(ended('cancelled', 'cancelled'));
    if (outcome === 'ok') {
      log.suspended();
      this.suspended.add(job);
      await this.endings.suspended(id);
    } else if (!isWithOther(outcome)) await this.endings.settle(id);
  }

  private async end(
    id: string,
    fence: string | undefined,
    ending: Finish,
    log: RunLog,
  ): Promise<JobResult | undefined> {
    const outcome = await this.endings.ending(
      id,
      () => this.purging(id, () => this.store.finish(id, fence, ending)),
      isWithOther,
    );
    if (isWithOther(outcome)) {
      if (outcome === 'fenced') log.lost();
      return undefined;
    }
    const result = outcome === 'ok' ? log.ended(ending) : undefined;
    await this.endings.settle(id);
    return result ?? this.result(id);
  }

  /** How a run has ended that this delivery did not end; undefined: its record is gone. */
  private async result(id: string): Promise<JobResult | undefined> {
    return resultIn(await this.reader.readSome(id, ...RESULT_FIELDS));
  }

  /** Of a run that was deleted, its attachments are removed before the record is. */
  private async purging<T>(id: string, end: () => Promise<T>): Promise<T> {
    const outcome = await end();
    if (outcome !== 'deleted') return outcome;
    await this.deletion.purge(id);
    await this.store.purged(id);
    return end();
  }

  /** The queue tries again after an unexpected error; the last attempt ends the run. */
  private async giveUp(
    job: Job<RunJob>,
    { id, fence }: Claim,
    error: unknown,
    log: RunLog,
  ): Promise<JobResult | undefined> {
    // A Redis that refuses writes is not the fault of the run, however long it lasts.
    const unavailable = isRedisUnavailable(error);
    if (unavailable) this.log.warn('Redis refuses what a worker writes');
    else this.log.error(error);
    await this.store.release(id, fence);
    if (unavailable || job.attemptsMade + 1 < JOB_ATTEMPTS) {
      log.repeated();
      throw new Error('internal_error');
    }
    return this.end(id, undefined, ended('failed', 'internal_error'), log);
  }
}

/** Another worker has the run, and it has not ended. */
function isWithOther(outcome: SuspendOutcome): outcome is 'fenced' | 'held' {
  return outcome === 'fenced' || outcome === 'held';
}

/**
 * Returns a delivery to the queue, to be delivered again after `ms`, even if that is 0: a job that goes straight back to the
 * prioritized ones wakes no worker.
 */
async function reschedule(
  job: Job,
  ms: number,
  token: string | undefined,
): Promise<never> {
  await job.moveToDelayed(Date.now() + ms, token);
  throw new DelayedError();
}

/** The result of the job of an ended run, as the dashboard shows it; one that failed is never tried again. */
function shown(result: JobResult | void): JobResult | void {
  if (result?.status === 'failed')
    throw new UnrecoverableError(result.code ?? '');
  return result;
}
