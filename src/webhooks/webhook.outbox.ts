import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { isFinal } from '../runs/run';
import { EndListeners } from '../runs/upkeep/end-listeners';
import {
  JOB_OPTIONS,
  WEBHOOK_JOB,
  WEBHOOK_QUEUE,
  type WebhookJob,
} from './webhook.queue';
import { WebhookStore } from './webhook.store';

/** Hands what is to be announced to the workers. An end counts as settled only when that is done. */
@Injectable()
export class WebhookOutbox implements OnModuleInit {
  constructor(
    @InjectQueue(WEBHOOK_QUEUE) private readonly queue: Queue<WebhookJob>,
    private readonly store: WebhookStore,
    private readonly endings: EndListeners,
  ) {
    // RedisConnections reports an outage; without a listener BullMQ prints it again, address and all.
    queue.on('error', () => undefined);
  }

  onModuleInit(): void {
    this.endings.register({ settle: (id) => this.settle(id) });
  }

  /** Announces it once more, at once, with all tries before it. One that is under way now is left to itself. */
  async redeliver(id: string): Promise<void> {
    const underWay = (await this.queue.remove(id)) === 0;
    if (underWay || !(await this.store.note(id, 'pending', 0))) return;
    await this.add(id);
  }

  private async settle(id: string): Promise<void> {
    const ended = await this.store.read(id);
    if (!ended) {
      // Nobody is told of what was deleted.
      await this.queue.remove(id);
      return;
    }
    const open = ended.webhookDelivery.status === 'pending';
    if (ended.webhook && open && isFinal(ended.status)) await this.add(id);
  }

  /** Safe to repeat: a job of the same id is the same job. */
  private async add(id: string): Promise<void> {
    await this.queue.add(
      WEBHOOK_JOB,
      { invocation_id: id },
      { ...JOB_OPTIONS, jobId: id },
    );
  }
}
