import { ALARM } from '../chat/alarms/alarm-kind';
import { AlarmsModule } from '../chat/alarms/alarms.module';
import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { ChatModule } from '../chat/chat.module';
import type { AppConfig } from '../config/config';
import { ConfigModule } from '../config/config.module';
import { queueOptions } from './queue-options';
import { KeysModule } from '../tenants/keys/keys.module';
import { SettlementModule } from '../tenants/keys/usage/settlement.module';
import { LimitsModule } from '../tenants/limits/limits.module';
import { McpModule } from '../tools/mcp-client/mcp.module';
import { RedisModule } from '../platform/redis/redis.module';
import { ResearchModule } from '../research/research.module';
import { ToolWorkerModule } from '../tool-invocations/execution/tool-worker.module';
import { ToolboxModule } from '../tools/built-in/toolbox.module';
import { WebhooksModule } from '../integrations/webhooks/webhooks.module';

/** The worker process: executes runs and delivers webhooks; it serves no HTTP. */
@Module({})
export class WorkerModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.forRoot(config),
        RedisModule.forRoot('wait'),
        KeysModule.forWorker(),
        SettlementModule,
        LimitsModule.forWorker(),
        BullModule.forRootAsync(queueOptions),
        ResearchModule.forWorker(),
        ToolboxModule.load(config),
        McpModule.forWorker(),
        ToolWorkerModule.forRoot([ALARM]),
        ChatModule.forWorker(),
        AlarmsModule,
        WebhooksModule.forWorker(),
      ],
    };
  }
}
