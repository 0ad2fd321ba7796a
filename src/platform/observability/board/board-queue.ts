import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type {
  QueueAdapterOptions,
  QueueWorker,
} from '@bull-board/api/typings/app';
import type { Job, Queue } from 'bullmq';
import { AppError, isCode } from '../../errors';
import { ifPermitted } from '../../redis/state/redis-faults';

const NAME = /^[\w.:/@+-]{1,100}$/;
const isName = (value: unknown): boolean =>
  typeof value === 'string' && NAME.test(value);

/** What a job returns, and what the dashboard shows of it. */
const RESULT = new Map<string, (value: unknown) => boolean>([
  ['status', isName],
  ['code', isName],
  ['engine', isName],
  ['model', isName],
  ['seconds', Number.isFinite],
  ['tokens', Number.isFinite],
  ['cost_usd', Number.isFinite],
]);

/** A queue as the dashboard may show it: ids, names, codes and numbers, but no error messages, stacks or addresses. */
export class BoardQueue extends BullMQAdapter {
  constructor(queue: Queue, options?: Partial<QueueAdapterOptions>) {
    super(queue, options);
    this.setFormatter('data', idOnly);
    this.setFormatter('returnValue', resultOnly);
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    return job && this.shown(job);
  }

  override async getJobs(
    ...range: Parameters<BullMQAdapter['getJobs']>
  ): Promise<Job[]> {
    return (await super.getJobs(...range)).map((job) => this.shown(job));
  }

  private shown(job: Job): Job {
    if (!this.allowRetries) job.retry = refuseRetry;
    return withoutTexts(job);
  }

  override async getWorkers(): Promise<QueueWorker[] | null> {
    const workers = await ifPermitted(super.getWorkers());
    if (!workers) return null;
    return workers.map((worker) => ({ ...worker, addr: '' }));
  }

  override async getRedisInfo(): Promise<string | null> {
    return (await ifPermitted(super.getRedisInfo())) ?? null;
  }

  override addJob(): Promise<Job> {
    // A job without a record does nothing: runs start at the API.
    throw new AppError('forbidden', 'Runs are started through the API.');
  }
}

/** The record has the end of a run, which another delivery does not change. */
function refuseRetry(): Promise<void> {
  throw new AppError(
    'forbidden',
    'The run of this job has ended. Submit it again through the API.',
  );
}

/** The job of a run that was cancelled or ended early is completed. A worker of an earlier version returns its status. */
function resultOnly(value: unknown): unknown {
  if (isName(value)) return { status: value };
  if (typeof value !== 'object' || value === null) return null;
  const shown = Object.entries(value).filter(([name, of]) =>
    RESULT.get(name)?.(of),
  );
  return shown.length > 0 ? Object.fromEntries(shown) : null;
}

function idOnly(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data ?? {}).filter(([name]) =>
      /^invocation_?id$/i.test(name),
    ),
  );
}

/** Changes this copy of the job, not the stored one. */
function withoutTexts(job: Job): Job {
  job.stacktrace = [];
  if (job.failedReason && !isCode(job.failedReason))
    job.failedReason = 'See the log of the worker.';
  job.deferredFailure &&= 'See the log of the worker.';
  return job;
}
