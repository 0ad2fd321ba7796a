import { type DynamicModule, Module } from '@nestjs/common';
import type { AppConfig } from '../config/config';
import { LlmModule } from '../llm/llm.module';
import { InvocationStoreModule } from '../tool-invocations/tool-invocations.module';
import { ToolsModule } from '../tools/tools.module';
import { OpenAiWebhookController } from './openai-webhook.controller';
import { UpstreamNews } from './upstream-news';
import { WebhookDeliveries } from './webhook.deliveries';
import { WebhookSignature } from './webhook.signature';

/** Events of the model endpoint, where a secret is set that they are signed with. For API processes alone. */
@Module({})
export class OpenAiWebhookModule {
  static forRoot({ upstream }: AppConfig): DynamicModule {
    const isOn = upstream.webhookSecrets.length > 0;
    return {
      module: OpenAiWebhookModule,
      imports: [LlmModule, ToolsModule, InvocationStoreModule],
      controllers: isOn ? [OpenAiWebhookController] : [],
      providers: [UpstreamNews, WebhookSignature, WebhookDeliveries],
    };
  }
}
