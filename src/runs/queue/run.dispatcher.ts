import type { Job, Queue } from 'bullmq';
import type { Priority } from '../../tools/tool';
import { type RunJob, JOB_OPTIONS, JOB_PRIORITY } from './run.queue';

/** Brings accepted invocations to the workers of one queue. */
export class RunDispatcher {
  constructor(
    private readonly queue: Queue<RunJob>,
    private readonly jobName: string,
  ) {
    // RedisConnections reports an outage; without a listener from the first moment BullMQ prints it again, address and all.
    queue.on('error', () => undefined);
  }

  /** Hands the invocation to the workers, and answers its queue position. Safe to repeat with the same id. */
  async start(
    invocationId: string,
    priority: Priority,
  ): Promise<number | null> {
    await this.queue.add(
      this.jobName,
      { invocation_id: invocationId },
      {
        ...JOB_OPTIONS,
        jobId: invocationId,
        priority: JOB_PRIORITY[priority],
      },
    );
    return null;
  }

  /** The same for one that may have been lost on its way to the workers. */
  async revive(invocationId: string, priority: Priority): Promise<void> {
    const job = await this.queue.getJob(invocationId);
    // An ended job stands in the way of a new one of its id. Refused if a worker has it again by now.
    if (job && hasEnded(job)) await job.remove().catch(() => undefined);
    await this.start(invocationId, priority);
  }

  /** Whether it is on its way to a worker, so that it need not be revived. */
  async isUnderWay(invocationId: string): Promise<boolean> {
    const job = await this.queue.getJob(invocationId);
    return job !== undefined && !hasEnded(job);
  }

  /** Those whose delivery failed to the last; no more than a thousand are kept, see JOB_OPTIONS. */
  async givenUp(): Promise<string[]> {
    const jobs = await this.queue.getFailed();
    return jobs.map(({ data }) => data.invocation_id);
  }

  /** Somebody waits for it: does now what was put off. Safe to call at any time. */
  async hasten(invocationId: string): Promise<void> {
    const job = await this.queue.getJob(invocationId);
    // Refused if its time has come in between.
    if (await job?.isDelayed()) await job?.promote().catch(() => undefined);
  }

  /** Its place among those that wait to begin, from 1; null if it does not wait, or nobody counts. */
  queuePosition(_invocationId: string): Promise<number | null> {
    return Promise.resolve(null);
  }
}

/** Completed or failed to the last: it will not be delivered again. */
function hasEnded(job: Job): boolean {
  return (job.finishedOn ?? 0) > 0;
}
