import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { ALARM_QUEUE } from '../chat/alarms/alarm-kind';
import { AlarmsModule } from '../chat/alarms/alarms.module';
import { ChatModule } from '../chat/chat.module';
import { CHAT_QUEUE } from '../chat/background/chat-kind';
import type { AppConfig } from '../config/config';
import { ConfigModule } from '../config/config.module';
import { SettlementModule } from '../tenants/keys/usage/settlement.module';
import { QueueCheckup } from '../platform/observability/health/queue-checkup';
import { KeysCheckup } from '../tenants/keys/keys-checkup';
import { KeysModule } from '../tenants/keys/keys.module';
import { readOnlyQueueOptions } from './queue-options';
import { RedisCheckup } from '../platform/redis/redis-checkup';
import { RedisModule } from '../platform/redis/redis.module';
import { ModelsCheckup } from '../research/models-checkup';
import { ResearchCheckup } from '../research/research-checkup';
import { ResearchModule } from '../research/research.module';
import { DELETION_QUEUE, RESEARCH_QUEUE } from '../research/research-queue';
import { CallerRunsCheckup } from '../runs/upkeep/caller-runs-checkup';
import { CallerRunsIndex } from '../runs/store/caller-runs-index';
import { DeliveryCheckup } from '../runs/upkeep/delivery-checkup';
import { RunsCheckup } from '../runs/upkeep/runs-checkup';
import {
  TOOL_QUEUE,
  ToolKindModule,
} from '../tool-invocations/execution/tool-kind';
import { WEBHOOK_QUEUE } from '../integrations/webhooks/webhook-queue';
import { WebhooksModule } from '../integrations/webhooks/webhooks.module';

const WORK = [
  RESEARCH_QUEUE,
  TOOL_QUEUE,
  CHAT_QUEUE,
  ALARM_QUEUE,
  DELETION_QUEUE,
];
const DEAD_LETTERS = [WEBHOOK_QUEUE];

/** In the order in which they run. */
export const CHECKUPS = [
  RedisCheckup,
  QueueCheckup,
  DeliveryCheckup,
  ResearchCheckup,
  RunsCheckup,
  CallerRunsCheckup,
  KeysCheckup,
  ModelsCheckup,
];

/**
 * What the doctor needs. Every module that registers an end listener must be imported: a run that is settled without
 * one of them is never settled again.
 */
@Module({})
export class DoctorModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: DoctorModule,
      imports: [
        ConfigModule.forRoot(config),
        RedisModule.forRoot('fail-fast'),
        KeysModule.forDoctor(),
        BullModule.forRootAsync(readOnlyQueueOptions),
        SettlementModule,
        ToolKindModule,
        ResearchModule.forDoctor(),
        ChatModule.forDoctor(),
        AlarmsModule.forDoctor(),
        WebhooksModule.forDoctor(),
      ],
      providers: [
        RedisCheckup,
        {
          provide: QueueCheckup,
          inject: [...WORK, ...DEAD_LETTERS].map((name) => getQueueToken(name)),
          useFactory: (...queues: Queue[]) =>
            new QueueCheckup({
              work: queues.slice(0, WORK.length),
              deadLetters: queues.slice(WORK.length),
            }),
        },
        DeliveryCheckup,
        RunsCheckup,
        CallerRunsIndex,
        CallerRunsCheckup,
      ],
    };
  }
}
