import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Logger,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type Job, WaitingError } from 'bullmq';
import { AppConfig } from '../config/config';
import { webhookSecrets } from '../config/settings/webhook-settings';
import { WebhookClient } from './webhook.client';
import { DeliveryFault } from './webhook.fault';
import { messageOf, signedHeaders } from './webhook.message';
import { WEBHOOK_QUEUE, type WebhookJob } from './webhook.queue';
import { pauseAfter } from './webhook.backoff';
import { type EndedInvocation, WebhookStore } from './webhook.store';

/** Deliveries only wait, but a receiver that never answers holds its place for 10 s. */
const CONCURRENCY = 50;
/** What a delivery under way gets of a shutdown. */
const FINISH_MS = 5_000;
/** BullMQ's word for a job that has failed for good. */
const GIVE_UP = -1;

/** What the queue is told, and the dashboard shows: a code, and when to try again. */
class Undelivered extends Error {
  constructor(
    code: string,
    readonly pauseMs: number,
  ) {
    super(code);
  }
}

/** Announces ends to webhooks, at least once: a worker that dies after a delivery and before its note makes it again. */
@Processor(WEBHOOK_QUEUE, {
  concurrency: CONCURRENCY,
  maxStalledCount: Number.MAX_SAFE_INTEGER,
  settings: {
    backoffStrategy: (_tries, _type, error) =>
      error instanceof Undelivered ? error.pauseMs : GIVE_UP,
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
    const id = job.data.invocation_id;
    try {
      const ended = await this.store.read(id);
      // Deleted or expired; or delivered, by a worker that could not say so to the queue any more.
      if (!ended || ended.webhookDelivery.status === 'delivered') return;
      await this.deliver(ended, job.attemptsMade);
    } catch (error) {
      if (error instanceof Undelivered) throw error;
      if (this.stop.signal.aborted) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      this.log.error(error);
      throw new Undelivered(
        'internal_error',
        pauseAfter(job.attemptsMade) ?? GIVE_UP,
      );
    }
  }

  /** The first thing of a shutdown: no new deliveries, and a limit for those under way. */
  async onModuleDestroy(): Promise<void> {
    this.timer = setTimeout(() => this.stop.abort(), FINISH_MS);
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

  private async deliver(
    ended: EndedInvocation,
    failures: number,
  ): Promise<void> {
    const { id } = ended;
    try {
      await this.post(ended);
    } catch (error) {
      if (!(error instanceof DeliveryFault)) throw error;
      const pauseMs = pauseBefore(error, failures, ended.keptMs);
      const gaveUp = pauseMs === GIVE_UP;
      this.log.debug({ invocation_id: id, err: error.cause ?? error });
      if (!(await this.store.note(id, gaveUp ? 'failed' : 'pending', 1)))
        return;
      if (gaveUp)
        this.log.warn(`The webhook of ${id} was given up: ${error.code}`);
      throw new Undelivered(error.code, pauseMs);
    }
    await this.store.note(id, 'delivered', 1);
  }

  private async post(ended: EndedInvocation): Promise<void> {
    const secrets = webhookSecrets(this.config.webhooks, ended.caller);
    // They were configured when it was submitted, and may be again.
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

/** Nothing is put off beyond the life of the record: there would be nothing to announce any more. */
function pauseBefore(
  { options }: DeliveryFault,
  failures: number,
  keptMs: number,
): number {
  const pauseMs = pauseAfter(failures, options.retryAfterMs);
  if (options.final || pauseMs === undefined) return GIVE_UP;
  return keptMs >= 0 && pauseMs >= keptMs ? GIVE_UP : pauseMs;
}
