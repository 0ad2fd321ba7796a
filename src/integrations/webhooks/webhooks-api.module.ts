import { Module } from '@nestjs/common';
import { RunsModule } from '../../runs/runs.module';
import { WebhookController } from './webhook.controller';
import { webhookImports, webhookProviders } from './webhooks.module';

/** Webhooks in API processes, with their route. */
@Module({
  imports: [...webhookImports, RunsModule],
  controllers: [WebhookController],
  providers: webhookProviders,
})
export class WebhooksApiModule {}
