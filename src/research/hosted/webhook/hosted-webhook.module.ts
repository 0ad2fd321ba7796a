import { type DynamicModule, Module } from '@nestjs/common';
import type { AppConfig } from '../../../config/config';
import { LlmModule } from '../../../llm/llm.module';
import { RunStoreModule } from '../../../runs/runs.module';
import { ToolsModule } from '../../../tools/tools.module';
import { HostedWebhookController } from './hosted-webhook.controller';
import { HostedWebhookService } from './hosted-webhook.service';
import { PurchaseStore } from '../record/purchase.store';
import { HandledEventsStore } from './handled-events.store';
import { HostedWebhookSignature } from './hosted-webhook-signature';

/** Receives events of the model endpoint if a signing secret is configured. For API processes alone. */
@Module({})
export class HostedWebhookModule {
  static forRoot({ upstream }: AppConfig): DynamicModule {
    const isOn = upstream.webhookSecrets.length > 0;
    return {
      module: HostedWebhookModule,
      imports: [LlmModule, ToolsModule, RunStoreModule],
      controllers: isOn ? [HostedWebhookController] : [],
      providers: [
        HostedWebhookService,
        PurchaseStore,
        HostedWebhookSignature,
        HandledEventsStore,
      ],
    };
  }
}
