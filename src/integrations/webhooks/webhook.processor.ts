import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Logger,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type Job, WaitingError } from 'bullmq';
import { AppConfig } from '../../config/config';
import { webhookSecrets } from '../../config/settings/webhook-settings';
import { inRunTrace, traced } from '../../platform/tracing/tracing';
import { WebhookClient } from './webhook.client';
import { DeliveryFault } from './webhook-fault';
import { messageOf, signedHeaders } from './webhook-message';
import { WEBHOOK_QUEUE, type WebhookJob } from './webhook-queue';
import { backoffMs } from './webhook-backoff';
import { type EndedInvocation, WebhookStore } from './webhook.store';

/** Deliveries mostly wait, but an unresponsive receiver occupies its slot until the time limit. */
const CONCURRENCY = 50;
/** How long deliveries in progress may continue at shutdown. */
const SHUTDOWN_GRACE_MS = 5_000;
/** The backoff with which BullMQ fails a job for good. */
const FAIL_FOR_GOOD = -1;

/** The error that the queue stores and the dashboard shows: a code, and the delay before the next attempt. */
class Undelivered extends Error {
  constructor(
    code: string,
    readonly delayMs: number,
  ) {
    super(code);
  }
}

/** Delivers webhooks at least once: a worker that dies between a delivery and its record repeats it. */
@Processor(WEBHOOK_QUEUE, {
  concurrency: CONCURRENCY,
  maxStalledCount: Number.MAX_SAFE_INTEGER,
  settings: {
    backoffStrategy: (_attempts, _type, error) =>
      error instanceof Undelivered ? error.delayMs : FAIL_FOR_GOOD,
  },
})
export class WebhookProcessor
  extends WorkerHost
  implements OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly log = new Logger('WebhookProcessor');
  private readonly stop = new AbortController();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly store: WebhookStore,
    private readonly client: WebhookClient,
    private readonly config: AppConfig,
  ) {
    super();
  }

  async process(job: Job<WebhookJob>, token?: string): Promise<void> {
    const { invocation_id, waiting_id, since_ms } = job.data;
    const id = invocation_id ?? waiting_id ?? '';
    // BullMQ looks once more for a job that came back while it waited, although it is paused.
    if (this.worker.isPaused()) return handBack(job, token);
    try {
      const ended = await this.store.read(id);
      // The run was deleted or has expired, or a worker delivered it but could not complete the job.
      if (!ended) return;
      if (waiting_id !== undefined) {
        // A decision that has been made is awaited no more.
        const waits = ended.status === 'requires_action';
        if (waits && ended.waitingSinceMs === since_ms)
          await this.announce(ended, job.attemptsMade);
        return;
      }
      if (ended.webhookDelivery.status === 'delivered') return;
      await this.deliver(ended, job.attemptsMade);
    } catch (error) {
      if (error instanceof Undelivered) throw error;
      if (this.stop.signal.aborted) return handBack(job, token);
      this.log.error(error);
      throw new Undelivered(
        'internal_error',
        backoffMs(job.attemptsMade) ?? FAIL_FOR_GOOD,
      );
    }
  }

  /** First step of a shutdown: no new deliveries, and a limit for those in progress. */
  async onModuleDestroy(): Promise<void> {
    this.timer = setTimeout(() => this.stop.abort(), SHUTDOWN_GRACE_MS);
    await this.worker.pause(true);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close();
    clearTimeout(this.timer);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    // Outages are reported by RedisConnections.
    this.log.debug(error);
  }

  /** Of a run that waits; its delivery state is that of its end. */
  private async announce(
    waiting: EndedInvocation,
    failures: number,
  ): Promise<void> {
    try {
      await inRunTrace(waiting, () =>
        traced('client', 'POST webhook', {}, () => this.post(waiting)),
      );
    } catch (error) {
      if (!(error instanceof DeliveryFault)) throw error;
      throw new Undelivered(
        error.code,
        retryDelay(error, failures, waiting.expiresInMs),
      );
    }
  }

  private async deliver(
    ended: EndedInvocation,
    failures: number,
  ): Promise<void> {
    const { id } = ended;
    try {
      await inRunTrace(ended, () =>
        traced('client', 'POST webhook', {}, () => this.post(ended)),
      );
    } catch (error) {
      if (!(error instanceof DeliveryFault)) throw error;
      const delayMs = retryDelay(error, failures, ended.expiresInMs);
      const failedForGood = delayMs === FAIL_FOR_GOOD;
      this.log.debug({ invocation_id: id, err: error.cause ?? error });
      if (
        !(await this.store.update(id, failedForGood ? 'failed' : 'pending', 1))
      )
        return;
      if (failedForGood)
        this.log.warn(`The webhook of ${id} failed for good: ${error.code}`);
      throw new Undelivered(error.code, delayMs);
    }
    await this.store.update(id, 'delivered', 1);
  }

  private async post(ended: EndedInvocation): Promise<void> {
    const secrets = webhookSecrets(this.config.webhooks, ended.caller);
    // The secrets were configured at submission, and may be again.
    if (secrets.length === 0) throw new DeliveryFault('webhook_unsigned');
    const message = messageOf(ended);
    await this.client.post(
      ended.webhook!,
      message.body,
      signedHeaders(message, secrets),
      this.stop.signal,
    );
  }
}

/** To another worker, as if it had not begun. */
async function handBack(job: Job<WebhookJob>, token?: string): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}

/** No retry is scheduled after the record expires: then there is nothing left to announce. */
function retryDelay(
  { options }: DeliveryFault,
  failures: number,
  expiresInMs: number,
): number {
  const delayMs = backoffMs(failures, options.retryAfterMs);
  if (options.final || delayMs === undefined) return FAIL_FOR_GOOD;
  return expiresInMs >= 0 && delayMs >= expiresInMs ? FAIL_FOR_GOOD : delayMs;
}
