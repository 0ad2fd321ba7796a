import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { RunStoreModule, RunsModule } from '../runs/runs.module';
import { WebhookClient } from './webhook.client';
import { WebhookController } from './webhook.controller';
import { WebhookOutbox } from './webhook.outbox';
import { WebhookProcessor } from './webhook.processor';
import { WEBHOOK_QUEUE } from './webhook.queue';
import { WebhookStore } from './webhook.store';

const imports = [
  RunStoreModule,
  BullModule.registerQueue({ name: WEBHOOK_QUEUE }),
];
const providers = [WebhookStore, WebhookOutbox];

/** Webhooks for the end of runs: every process queues them, a worker process delivers. */
@Module({})
export class WebhooksModule {
  static forApi(): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [...imports, RunsModule],
      controllers: [WebhookController],
      providers,
    };
  }

  static forDoctor(): DynamicModule {
    return {
      module: WebhooksModule,
      imports,
      providers,
      exports: [BullModule],
    };
  }

  static forWorker(): DynamicModule {
    return {
      module: WebhooksModule,
      imports,
      providers: [...providers, WebhookClient, WebhookProcessor],
    };
  }
}
