import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { ALARM_QUEUE } from '../chat/alarms/alarm.kind';
import { AlarmsModule } from '../chat/alarms/alarms.module';
import { ChatApiModule } from '../chat/chat-api.module';
import { CHAT_QUEUE } from '../chat/background/chat.kind';
import type { AppConfig } from '../config/config';
import { ConfigModule } from '../config/config.module';
import { HttpModule } from '../http/http.module';
import { McpModule } from '../mcp-client/mcp.module';
import { BoardModule } from '../observability/board/board.module';
import { ObservabilityModule } from '../observability/observability.module';
import { queueOptions } from './queue-options';
import { RedisModule } from '../redis/redis.module';
import { HostedWebhookModule } from '../research/hosted/webhook/hosted-webhook.module';
import { ResearchModule } from '../research/research.module';
import { DELETION_QUEUE, RESEARCH_QUEUE } from '../research/research.queue';
import { ToolInvocationsModule } from '../tool-invocations/tool-invocations.module';
import { TOOL_QUEUE } from '../tool-invocations/execution/tool.kind';
import { ToolboxModule } from '../toolbox/toolbox.module';
import { WEBHOOK_QUEUE } from '../webhooks/webhook.queue';
import { WebhooksModule } from '../webhooks/webhooks.module';

/** The API process: accepts requests and executes no runs. */
@Module({})
export class ApiModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        ConfigModule.forRoot(config),
        RedisModule.forRoot('fail-fast'),
        HttpModule,
        AuthModule,
        ObservabilityModule,
        BullModule.forRootAsync(queueOptions),
        BoardModule.forRoot(
          [
            RESEARCH_QUEUE,
            TOOL_QUEUE,
            CHAT_QUEUE,
            ALARM_QUEUE,
            WEBHOOK_QUEUE,
            DELETION_QUEUE,
          ],
          config,
        ),
        ToolInvocationsModule,
        ToolboxModule.load(config),
        McpModule.forApi(),
        ResearchModule.forApi(),
        HostedWebhookModule.forRoot(config),
        ChatApiModule,
        AlarmsModule,
        WebhooksModule.forApi(),
      ],
    };
  }
}
