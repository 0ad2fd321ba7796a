import type { Job, Queue } from 'bullmq';
import type { AdmissionStore } from '../admission/admission.store';
import { workersOf } from '../../platform/observability/health/workers-of';
import type { Priority } from '../record/run';
import {
  type RunJob,
  JOB_LOG_LINES,
  JOB_OPTIONS,
  JOB_PRIORITY,
} from './run-queue';

/** The list of connections is asked for at most this often. */
const LOOK_EVERY_MS = 3_000;

/** Brings accepted runs to the workers of one queue. */
export class RunDispatcher {
  private workers?: { lookedAt: number; are: Promise<boolean> };

  /** @param jobName shown on the dashboard. @param admission that its runs wait for; undefined: none. */
  constructor(
    readonly queue: Queue<RunJob>,
    private readonly jobName: string,
    private readonly admission?: AdmissionStore,
  ) {
    // RedisConnections reports an outage; without a listener from the first moment BullMQ prints it again, address and all.
    queue.on('error', () => undefined);
  }

  /** Hands the run to the workers and returns its queue position. Safe to repeat with the same id. */
  async start(id: string, priority: Priority): Promise<number | null> {
    const rank = JOB_PRIORITY[priority];
    const position = await this.admission?.join(id, rank);
    await this.queue.add(
      this.jobName,
      { invocation_id: id },
      { ...JOB_OPTIONS, jobId: id, priority: rank },
    );
    return position ?? null;
  }

  /** The same for one whose delivery may be lost. */
  async revive(id: string, priority: Priority): Promise<void> {
    const job = await this.queue.getJob(id);
    // An ended job blocks a new one of its id. Refused if a worker has taken it in between.
    if (job && hasEnded(job)) await job.remove().catch(() => undefined);
    await this.start(id, priority);
  }

  /** Whether a delivery exists, so that the run need not be revived. */
  async isUnderWay(id: string): Promise<boolean> {
    const job = await this.queue.getJob(id);
    return job !== undefined && !hasEnded(job);
  }

  /** Runs whose delivery failed for the last time; no more than a thousand are kept, see JOB_OPTIONS. */
  async failedDeliveries(): Promise<string[]> {
    const jobs = await this.queue.getFailed();
    return jobs.map(({ data }) => data.invocation_id);
  }

  /** Delivers a delayed run now. Safe to call at any time. */
  async promote(id: string): Promise<void> {
    const job = await this.queue.getJob(id);
    // Refused if its time has come in between.
    if (await job?.isDelayed()) await job?.promote().catch(() => undefined);
  }

  /** Delivers a waiting run now, before those that wait for a worker. Safe to call at any time. */
  async expedite(id: string): Promise<void> {
    const job = await this.queue.getJob(id);
    // Refused if it is gone in between. What it was submitted with stays in its options.
    await job?.changePriority({ priority: 0 }).catch(() => undefined);
    if (await job?.isDelayed()) await job?.promote().catch(() => undefined);
  }

  /** Adds a line to the log of its job, as the dashboard shows it; does not wait for that, and never fails. */
  log(id: string, line: string): void {
    this.queue.addJobLog(id, line, JOB_LOG_LINES).catch(() => undefined);
  }

  /** The lines of the log of its job, oldest first; none once the job is gone, and while memory is full: BullMQ reads in a transaction. */
  async readLog(id: string): Promise<string[]> {
    const found = this.queue.getJobLogs(id, 0, JOB_LOG_LINES - 1);
    return found.then(({ logs }) => logs).catch(() => []);
  }

  /** Whether a worker is connected to the queue, or was a moment ago; true where that is not known. */
  hasWorker(): Promise<boolean> {
    const now = performance.now();
    if (!this.workers || now - this.workers.lookedAt > LOOK_EVERY_MS) {
      const are = workersOf(this.queue).then((count) => count !== 0);
      this.workers = { lookedAt: now, are };
    }
    return this.workers.are;
  }

  /** Its position among the runs of its account that wait to begin, from 1; null if it does not wait or positions are not counted. */
  async queuePosition(id: string): Promise<number | null> {
    return (await this.admission?.position(id)) ?? null;
  }
}

/** Completed, or failed for the last time: it is not delivered again. */
function hasEnded(job: Job): boolean {
  return (job.finishedOn ?? 0) > 0;
}
