import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { ALARM_QUEUE } from './alarms/alarm.queue';
import { AlarmsModule } from './alarms/alarms.module';
import { ChatModule } from './chat/chat.module';
import { CHAT_QUEUE } from './chat/chat.queue';
import type { AppConfig } from './config/config';
import { ConfigModule } from './config/config.module';
import { QueueCheckup } from './observability/queue.checkup';
import { readOnlyQueueOptions } from './queue-options';
import { RedisCheckup } from './redis/redis.checkup';
import { RedisModule } from './redis/redis.module';
import { ModelsCheckup } from './research/models.checkup';
import { ResearchCheckup } from './research/research.checkup';
import { ResearchModule } from './research/research.module';
import { DELETION_QUEUE, RESEARCH_QUEUE } from './research/research.queue';
import { CallerCheckup } from './tool-invocations/caller.checkup';
import { CallerIndex } from './tool-invocations/caller.index';
import { DeliveryCheckup } from './tool-invocations/delivery.checkup';
import { InvocationCheckup } from './tool-invocations/invocation.checkup';
import { InvocationStoreModule } from './tool-invocations/tool-invocations.module';
import { TOOL_QUEUE } from './tool-invocations/tool.queue';
import { WEBHOOK_QUEUE } from './webhooks/webhook.queue';
import { WebhooksModule } from './webhooks/webhooks.module';

const WORK = [
  RESEARCH_QUEUE,
  TOOL_QUEUE,
  CHAT_QUEUE,
  ALARM_QUEUE,
  DELETION_QUEUE,
];
const DEAD_LETTERS = [WEBHOOK_QUEUE];

/** In this order they are looked through. */
export const CHECKUPS = [
  RedisCheckup,
  QueueCheckup,
  DeliveryCheckup,
  ResearchCheckup,
  InvocationCheckup,
  CallerCheckup,
  ModelsCheckup,
];

/**
 * What the doctor needs. Every room that listens to InvocationEndings has to be in here: an invocation that is settled
 * without one of them is settled for good.
 */
@Module({})
export class DoctorModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: DoctorModule,
      imports: [
        ConfigModule.forRoot(config),
        RedisModule.forRoot('fail-fast'),
        BullModule.forRootAsync(readOnlyQueueOptions),
        InvocationStoreModule,
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
        InvocationCheckup,
        CallerIndex,
        CallerCheckup,
      ],
    };
  }
}
