import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { isFinal } from '../../runs/record/run';
import { EndListeners } from '../../runs/ending/end-listeners';
import {
  JOB_OPTIONS,
  WEBHOOK_JOB,
  WEBHOOK_QUEUE,
  type WebhookJob,
} from './webhook-queue';
import { WebhookStore } from './webhook.store';

/** Queues the webhooks of ended runs for the workers. An end counts as settled only after its webhook is queued. */
@Injectable()
export class WebhookOutbox implements OnModuleInit {
  constructor(
    @InjectQueue(WEBHOOK_QUEUE) private readonly queue: Queue<WebhookJob>,
    private readonly store: WebhookStore,
    private readonly listeners: EndListeners,
  ) {
    // RedisConnections reports outages; without a listener BullMQ prints the error as well, with the address.
    queue.on('error', () => undefined);
  }

  onModuleInit(): void {
    this.listeners.register({
      settle: (id) => this.settle(id),
      suspended: (id) => this.suspended(id),
    });
  }

  /** Queues the webhook again, at once and with all attempts. A delivery in progress is left alone. */
  async redeliver(id: string): Promise<void> {
    const delivering = (await this.queue.remove(id)) === 0;
    if (delivering || !(await this.store.update(id, 'pending', 0))) return;
    await this.add(id);
  }

  private async settle(id: string): Promise<void> {
    const ended = await this.store.read(id);
    if (!ended) {
      // Deleted runs are not announced.
      await this.queue.remove(id);
      return;
    }
    const pending = ended.webhookDelivery.status === 'pending';
    if (ended.webhook && pending && isFinal(ended.status)) await this.add(id);
  }

  /** Responses of OpenAI's API have no such event. */
  private async suspended(id: string): Promise<void> {
    const waiting = await this.store.read(id);
    if (!waiting?.webhook || waiting.isResponse) return;
    const { status, waitingSinceMs: since_ms } = waiting;
    if (status !== 'requires_action' || since_ms === null) return;
    await this.queue.add(
      WEBHOOK_JOB,
      { waiting_id: id, since_ms },
      { ...JOB_OPTIONS, jobId: `${id}-${since_ms}` },
    );
  }

  /** Idempotent: a job of the same id is the same job. */
  private async add(id: string): Promise<void> {
    await this.queue.add(
      WEBHOOK_JOB,
      { invocation_id: id },
      { ...JOB_OPTIONS, jobId: id },
    );
  }
}
