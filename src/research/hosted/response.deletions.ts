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
import { AppError } from '../../errors';
import { UpstreamError } from '../../llm/upstream/upstream.error';
import { RunDeletion } from '../../runs/record/run.deletion';
import { DELETION_QUEUE } from '../research.queue';
import { ResponsesClient } from './responses.client';

interface DeletionJob {
  response_id: string;
}

/** Fourteen tries in about five hours; then the endpoint keeps it as long as it keeps any. */
const JOB_OPTIONS = {
  attempts: 14,
  backoff: { type: 'exponential', delay: 2_000, jitter: 0.5 },
  removeOnComplete: true,
  removeOnFail: { age: 86_400, count: 1_000 },
  stackTraceLimit: 0,
};
/** A chat completion: the endpoint keeps none that it is not asked to keep. */
const NOT_KEPT = /^chat(cmpl|:)/;
const PATIENCE_MS = 20_000;
/** The response is not there, or the endpoint deletes none. */
const NOTHING_TO_DELETE = [404, 405, 410, 501];

/** Notes which responses the model endpoint is to delete, because the records that they were made for are deleted. */
@Injectable()
export class ResponseDeletions implements OnModuleInit {
  constructor(
    @InjectQueue(DELETION_QUEUE) private readonly queue: Queue<DeletionJob>,
    private readonly deletion: RunDeletion,
  ) {
    // RedisConnections reports an outage; without a listener BullMQ prints it again, address and all.
    queue.on('error', () => undefined);
  }

  onModuleInit(): void {
    this.deletion.onResponses((responses) => this.add(responses));
  }

  /** Safe to repeat: the same response is the same job. */
  private async add(responses: string[]): Promise<void> {
    const kept = responses.filter((id) => !NOT_KEPT.test(id));
    const jobs = kept.map((response_id) => ({
      name: DELETION_QUEUE,
      data: { response_id },
      opts: { ...JOB_OPTIONS, jobId: nameOf(response_id) },
    }));
    await this.queue.addBulk(jobs);
  }
}

/** Has the model endpoint delete responses, as often as it takes within a bound. */
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
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const signal = AbortSignal.any([this.stop.signal, patience]);
    try {
      await this.responses.remove(data.response_id, signal);
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

/** Ids of other people's making may hold anything; those of jobs must not. */
function nameOf(responseId: string): string {
  return createHash('sha256').update(responseId).digest('hex');
}
