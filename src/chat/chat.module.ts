import { BullModule, Processor } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import type { AppConfig } from '../config/config';
import { GuardrailsModule } from '../guardrails/guardrails.module';
import { LlmModule } from '../llm/llm.module';
import { workerOptions } from '../tool-invocations/invocation.queue';
import {
  InvocationStoreModule,
  InvocationWorkerModule,
  ToolInvocationsModule,
} from '../tool-invocations/tool-invocations.module';
import { ToolsModule } from '../tools/tools.module';
import { Agents } from './agents';
import { ChatCarrier } from './chat.carrier';
import { ChatProcessor } from './chat.processor';
import { CHAT_QUEUE } from './chat.queue';
import { ChatRecords } from './chat.records';
import { ChatRemains } from './chat.remains';
import { ChatRunner } from './chat.runner';
import { DurableChat } from './durable.chat';
import { ToolCaller } from './tool.caller';

const queue = BullModule.registerQueue({ name: CHAT_QUEUE });

/** What answers messages in any process, and keeps the chats that outlive theirs. */
@Module({
  imports: [
    queue,
    LlmModule,
    GuardrailsModule,
    ToolInvocationsModule,
    ToolsModule,
  ],
  providers: [
    Agents,
    ChatCarrier,
    ChatRecords,
    ChatRemains,
    ChatRunner,
    ToolCaller,
  ],
  exports: [
    BullModule,
    GuardrailsModule,
    ToolInvocationsModule,
    ChatRecords,
    ChatRunner,
  ],
})
export class ChatModule {
  static forWorker({ chat, research }: AppConfig): DynamicModule {
    // A decorator by nature, applied here because its options are known only once the configuration is read.
    Processor(CHAT_QUEUE, {
      ...workerOptions(chat.concurrency, research.leaseMs),
      autorun: false,
    })(ChatProcessor);
    return {
      module: ChatWorkerModule,
      imports: [ChatModule, InvocationStoreModule, InvocationWorkerModule],
      providers: [ChatProcessor, DurableChat],
    };
  }

  static forDoctor(): DynamicModule {
    return {
      module: ChatDoctorModule,
      imports: [queue, InvocationStoreModule],
      providers: [ChatCarrier],
      exports: [BullModule],
    };
  }
}

@Module({})
class ChatWorkerModule {}

@Module({})
class ChatDoctorModule {}
