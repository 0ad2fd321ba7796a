import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import { isRedisUnavailable } from '../../redis/redis-unavailable';
import { Suspension } from '../record/suspension';
import { ended } from './ended';
import type { ActiveRun } from './active-run';
import type { ActiveRuns } from './active-runs';
import { type FinalStatus, isFinal, isUnderWay, type Status } from '../run';
import type { EndListeners } from '../upkeep/end-listeners';
import { type RunJob, JOB_ATTEMPTS } from '../queue/run.queue';
import type { RunReader } from '../record/run.reader';
import type { Claim, Finish, RunStore } from '../record/run.store';
import { Parked } from './run.outcome';
import { RunLog } from './run.log';

/** A run that took so many workers down with it is not tried again. */
const MAX_CRASHES = 5;
/** After the lease of a silent worker has run out, another may take over. */
const LEASE_MARGIN_MS = 500;
/** What only a newer version of the service can carry on is left to its workers: they ask the queue meanwhile. */
const TOO_NEW_MS = 1_000;

/** How a run ended; or that another worker goes on, now, later or when a human has decided; or that one already does. */
export type Outcome = Finish | Parked | Suspension | 'lost';

/** Whether a run may be begun now, and for how long it may take; or when to ask again. */
export type Admittance = { timeLimitMs: number } | { retryMs: number };

/**
 * Takes deliveries from a queue. A delivery is only a hint that there may be work: whether there is, and whose it is, is
 * said by the record.
 */
export abstract class RunProcessor
  extends WorkerHost
  implements BeforeApplicationShutdown
{
  private readonly log = new Logger(this.constructor.name);
  /** Deliveries that end because the run waits for a human. */
  private readonly left = new WeakSet<Job>();

  constructor(
    private readonly store: RunStore,
    private readonly reader: RunReader,
    private readonly endings: EndListeners,
    private readonly held: ActiveRuns,
  ) {
    super();
  }

  protected abstract admit(id: string, job: Job<RunJob>): Promise<Admittance>;

  /** Carries a run from whatever point its record has reached to its end. */
  protected abstract run(claim: Claim, run: ActiveRun): Promise<Outcome>;

  /** Ends one that took too many workers down, without looking at what may have done it. */
  protected abstract abandon(claim: Claim): Promise<Finish>;

  /** Answers how the run ended, if it did. */
  async process(job: Job<RunJob>, token?: string): Promise<FinalStatus | void> {
    const id = job.data.invocation_id;
    const { status, tooNew, errorCode } = await this.reader.readStanding(id);
    if (tooNew && !isFinal(status!)) return putOff(job, TOO_NEW_MS, token);
    if (status === 'requires_action') return void this.left.add(job);
    // One that has ended must not be admitted again.
    if (!status || !isUnderWay(status)) {
      await this.endings.settle(id);
      return status && shown(status, errorCode);
    }
    const admitted = await this.admit(id, job);
    if ('retryMs' in admitted) return putOff(job, admitted.retryMs, token);
    const outcome = await this.store.claim(
      id,
      this.held.worker,
      admitted.timeLimitMs,
    );
    // Delivered twice, or its worker died a moment ago: look again when its lease must have been renewed or run out.
    if (outcome.kind === 'held')
      return putOff(job, outcome.forMs + LEASE_MARGIN_MS, token);
    if (outcome.kind === 'too_new') return putOff(job, TOO_NEW_MS, token);
    if (outcome.kind === 'claimed') {
      const ending = await this.carry(job, outcome.claim, token);
      return ending && shown(ending.status, ending.error?.code);
    }
    if (outcome.kind === 'waiting') this.left.add(job);
    else await this.endings.settle(id);
  }

  /** Hands everything back, so that other workers go on at once. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.pause(true);
    this.held.stopAll();
    await this.worker.close();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    // Outages are reported by RedisConnections, and lost locks are what leases and fences are for.
    this.log.debug(error);
  }

  /**
   * A decision that came before a delivery had ended found no place for another one: then this one comes back. If the
   * process dies before that, the reconciler sees to it.
   */
  @OnWorkerEvent('completed')
  async onCompleted(job: Job<RunJob>): Promise<void> {
    if (!this.left.delete(job)) return;
    try {
      const status = await this.reader.readStatus(job.data.invocation_id);
      if (status === 'queued')
        await job.retry('completed', { resetAttemptsMade: true });
    } catch (error) {
      // It was brought anew in between, or Redis is away.
      this.log.debug(error);
    }
  }

  private async carry(
    job: Job<RunJob>,
    claim: Claim,
    token: string | undefined,
  ): Promise<Finish | void> {
    const { id, fence } = claim;
    const run = this.held.hold(claim);
    const log = new RunLog(claim);
    log.claimed(claim);
    try {
      const outcome =
        claim.crashes > MAX_CRASHES
          ? await this.abandon(claim)
          : await this.run(claim, run);
      if (outcome === 'lost') return;
      if (outcome instanceof Parked) {
        await this.store.release(id, fence, outcome.dueMs);
        return await putOff(job, outcome.dueMs, token);
      }
      if (outcome instanceof Suspension)
        return await this.leave(job, claim, outcome, log, token);
      return await this.end(id, fence, outcome, log);
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      return await this.giveUp(job, claim, error, log);
    } finally {
      this.held.free(run);
    }
  }

  /** Holds it no longer: what a human decides may take hours. */
  private async leave(
    job: Job<RunJob>,
    { id, fence }: Claim,
    awaiting: Suspension,
    log: RunLog,
    token: string | undefined,
  ): Promise<void> {
    const outcome = await this.purging(id, () =>
      this.store.await(id, fence, awaiting),
    );
    if (outcome === 'queued') return putOff(job, 0, token);
    if (outcome === 'cancelled') log.ended(ended('cancelled', 'cancelled'));
    if (outcome === 'ok') this.left.add(job);
    // Else it is somebody else's, and has not ended.
    else if (outcome !== 'fenced' && outcome !== 'held')
      await this.endings.settle(id);
  }

  private async end(
    id: string,
    fence: string | undefined,
    ending: Finish,
    log: RunLog,
  ): Promise<Finish | undefined> {
    const outcome = await this.purging(id, () =>
      this.store.finish(id, fence, ending),
    );
    // It is somebody else's, and has not ended.
    if (outcome === 'fenced' || outcome === 'held') return undefined;
    if (outcome === 'ok') log.ended(ending);
    await this.endings.settle(id);
    return ending;
  }

  /** Of a run that was deleted, what is kept on its account goes before it does. */
  private async purging<T>(id: string, end: () => Promise<T>): Promise<T> {
    const outcome = await end();
    if (outcome !== 'deleted') return outcome;
    await this.endings.purge(id);
    await this.store.purged(id);
    return end();
  }

  /** What was not expected is tried again by the queue; what has failed to the last is the end of the run. */
  private async giveUp(
    job: Job<RunJob>,
    { id, fence }: Claim,
    error: unknown,
    log: RunLog,
  ): Promise<Finish | undefined> {
    // A Redis that takes no writes is no fault of the run, however long that lasts.
    const away = isRedisUnavailable(error);
    if (away) this.log.warn('Redis does not take what a worker writes');
    else this.log.error(error);
    await this.store.release(id, fence);
    if (away || job.attemptsMade + 1 < JOB_ATTEMPTS)
      throw new Error('internal_error');
    return this.end(id, undefined, ended('failed', 'internal_error'), log);
  }
}

/**
 * Gives a delivery back to the queue, to be had again after `ms`. Also when that is at once: what goes straight back to
 * those that wait, with a priority, wakes no worker.
 */
async function putOff(
  job: Job,
  ms: number,
  token: string | undefined,
): Promise<never> {
  await job.moveToDelayed(Date.now() + ms, token);
  throw new DelayedError();
}

/** How the job of an ended run looks on the dashboard: one that failed, by its code, and never to be tried again. */
function shown(status: Status, code = ''): FinalStatus | undefined {
  if (status === 'failed') throw new UnrecoverableError(code);
  return isFinal(status) ? status : undefined;
}
