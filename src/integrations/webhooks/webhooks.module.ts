import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { RunStoreModule } from '../../runs/runs.module';
import { WebhookClient } from './webhook.client';
import { WebhookOutbox } from './webhook-outbox';
import { WebhookProcessor } from './webhook.processor';
import { WEBHOOK_QUEUE } from './webhook-queue';
import { WebhookStore } from './webhook.store';

export const webhookImports = [
  RunStoreModule,
  BullModule.registerQueue({ name: WEBHOOK_QUEUE }),
];
export const webhookProviders = [WebhookStore, WebhookOutbox];

/** Webhooks for the end of runs: every process queues them, a worker process delivers. */
@Module({})
export class WebhooksModule {
  static forDoctor(): DynamicModule {
    return {
      module: WebhooksModule,
      imports: webhookImports,
      providers: webhookProviders,
      exports: [BullModule],
    };
  }

  static forWorker(): DynamicModule {
    return {
      module: WebhooksModule,
      imports: webhookImports,
      providers: [...webhookProviders, WebhookClient, WebhookProcessor],
    };
  }
}
