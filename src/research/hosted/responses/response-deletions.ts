import { createHash } from 'node:crypto';
import {
  InjectQueue,
  OnWorkerEvent,
  Processor,
  WorkerHost,
} from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnModuleInit,
} from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { AppError } from '../../../platform/errors';
import { UpstreamError } from '../../../llm/upstream/upstream-error';
import { RunDeletion } from '../../../runs/ending/run-deletion';
import { DELETION_QUEUE } from '../../research-queue';
import { ResponsesClient } from './responses.client';

interface DeletionJob {
  response_id: string;
}

/** Fourteen attempts in about five hours; after that the response stays as long as the endpoint stores responses. */
const JOB_OPTIONS = {
  attempts: 14,
  backoff: { type: 'exponential', delay: 2_000, jitter: 0.5 },
  removeOnComplete: true,
  removeOnFail: { age: 86_400, count: 1_000 },
  stackTraceLimit: 0,
};
/** A chat completion, which the endpoint does not store unless asked to. */
const NOT_STORED = /^chat(cmpl|:)/;
const TIMEOUT_MS = 20_000;
/** The response does not exist, or the endpoint deletes none. */
const NOTHING_TO_DELETE = [404, 405, 410, 501];

/** Queues the deletion of responses at the model endpoint when the records that they belong to are deleted. */
@Injectable()
export class ResponseDeletions implements OnModuleInit {
  constructor(
    @InjectQueue(DELETION_QUEUE) private readonly queue: Queue<DeletionJob>,
    private readonly deletion: RunDeletion,
  ) {
    // RedisConnections reports outages; without a listener BullMQ prints them again, with the address.
    queue.on('error', () => undefined);
  }

  onModuleInit(): void {
    this.deletion.onResponses((responses) => this.add(responses));
  }

  /** Idempotent: the id of the job is made of the id of the response. */
  private async add(responses: string[]): Promise<void> {
    const stored = responses.filter((id) => !NOT_STORED.test(id));
    const jobs = stored.map((response_id) => ({
      name: DELETION_QUEUE,
      data: { response_id },
      opts: { ...JOB_OPTIONS, jobId: jobIdOf(response_id) },
    }));
    await this.queue.addBulk(jobs);
  }
}

/** Deletes responses at the model endpoint; a failed deletion is repeated within the limit above. */
@Processor(DELETION_QUEUE, {
  concurrency: 10,
  maxStalledCount: Number.MAX_SAFE_INTEGER,
})
export class ResponseDeletionProcessor
  extends WorkerHost
  implements BeforeApplicationShutdown
{
  private readonly log = new Logger('ResponseDeletions');
  private readonly stop = new AbortController();

  constructor(private readonly responses: ResponsesClient) {
    super();
  }

  async process({ data }: Job<DeletionJob>): Promise<void> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = AbortSignal.any([this.stop.signal, timeout]);
    try {
      await this.responses.delete(data.response_id, signal);
    } catch (error) {
      const status = error instanceof UpstreamError && error.fault.status;
      if (status && NOTHING_TO_DELETE.includes(status)) return;
      // The queue keeps what is thrown, and the dashboard shows it.
      throw new Error(
        error instanceof AppError ? error.code : 'upstream_timeout',
      );
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.worker.close();
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job | undefined, { message }: Error): void {
    if ((job?.attemptsMade ?? 0) >= JOB_OPTIONS.attempts)
      this.log.warn(`A response was not deleted upstream: ${message}`);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    // Outages are reported by RedisConnections.
    this.log.debug(error);
  }
}

/** The endpoint's ids may contain any character; those of jobs must not. */
function jobIdOf(responseId: string): string {
  return createHash('sha256').update(responseId).digest('hex');
}
