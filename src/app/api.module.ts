import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AuthModule } from '../platform/auth/auth.module';
import { ALARM_QUEUE } from '../chat/alarms/alarm-kind';
import { AlarmsModule } from '../chat/alarms/alarms.module';
import { ChatApiModule } from '../chat/chat-api.module';
import { CHAT_QUEUE } from '../chat/background/chat-kind';
import type { AppConfig } from '../config/config';
import { ConfigModule } from '../config/config.module';
import { ConsoleModule } from '../integrations/console/console.module';
import { HttpModule } from '../platform/http/http.module';
import { KeysApiModule } from '../tenants/keys/http/keys-api.module';
import { KeysModule } from '../tenants/keys/keys.module';
import { SettlementModule } from '../tenants/keys/usage/settlement.module';
import { LimitsModule } from '../tenants/limits/limits.module';
import { McpModule } from '../tools/mcp-client/mcp.module';
import { McpServerModule } from '../integrations/mcp-server/mcp-server.module';
import { McpChatModule } from './mcp/mcp-chat.module';
import { ChatModelsModule } from './openai/chat-models.module';
import { OpenAiApiModule } from '../integrations/openai-api/openai-api.module';
import { BoardModule } from '../platform/observability/board/board.module';
import { HealthRegistry } from '../platform/observability/health/health-registry';
import { QueueHealth } from '../platform/observability/health/queue-health';
import { ObservabilityModule } from '../platform/observability/observability.module';
import { queueOptions } from './queue-options';
import { RedisModule } from '../platform/redis/redis.module';
import { HostedWebhookModule } from '../research/hosted/webhook/hosted-webhook.module';
import { ResearchApiModule } from '../research/http/research-api.module';
import { PurgeApiModule } from '../research/purge/purge-api.module';
import { DELETION_QUEUE, RESEARCH_QUEUE } from '../research/research-queue';
import { ToolInvocationsModule } from '../tool-invocations/tool-invocations.module';
import { TOOL_QUEUE } from '../tool-invocations/execution/tool-kind';
import { ToolboxModule } from '../tools/built-in/toolbox.module';
import { WEBHOOK_QUEUE } from '../integrations/webhooks/webhook-queue';
import { WebhooksApiModule } from '../integrations/webhooks/webhooks-api.module';

const QUEUES = [
  RESEARCH_QUEUE,
  TOOL_QUEUE,
  CHAT_QUEUE,
  ALARM_QUEUE,
  WEBHOOK_QUEUE,
  DELETION_QUEUE,
];
/** Their jobs do their work again. Those of runs only deliver a record, which has ended. */
const RETRIABLE = [WEBHOOK_QUEUE, DELETION_QUEUE];

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
        KeysModule.forApi(),
        LimitsModule.forApi(),
        KeysApiModule,
        SettlementModule,
        ObservabilityModule,
        ConsoleModule,
        BullModule.forRootAsync(queueOptions),
        BoardModule.forRoot(QUEUES, config, RETRIABLE),
        ToolInvocationsModule,
        ToolboxModule.load(config),
        McpModule.forApi(),
        ResearchApiModule,
        PurgeApiModule,
        HostedWebhookModule.forRoot(config),
        ChatApiModule,
        McpServerModule.with(McpChatModule),
        OpenAiApiModule.with(ChatModelsModule),
        AlarmsModule,
        WebhooksApiModule,
      ],
      providers: [
        {
          provide: QueueHealth,
          inject: [HealthRegistry, ModuleRef],
          useFactory: (health: HealthRegistry, modules: ModuleRef) =>
            new QueueHealth(health, modules, QUEUES),
        },
      ],
    };
  }
}
