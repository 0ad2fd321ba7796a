import { BullModule, Processor } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import type { AppConfig } from '../config/config';
import { GuardrailsModule } from '../guardrails/guardrails.module';
import { LlmModule } from '../llm/llm.module';
import { workerOptions } from '../runs/queue/run.queue';
import {
  RunStoreModule,
  RunWorkerModule,
  RunsModule,
} from '../runs/runs.module';
import { ToolsModule } from '../tools/tools.module';
import { Agents } from './loop/agents';
import { ChatDispatcher } from './background/chat.dispatcher';
import { ChatOptions } from './chat.options';
import { ChatProcessor } from './background/chat.processor';
import { CHAT_QUEUE } from './background/chat.queue';
import { ChatSubmitter } from './background/chat.submitter';
import { ChatPurge } from './background/chat.purge';
import { ChatRunner } from './loop/chat.runner';
import { BackgroundChatRunner } from './background/background-chat.runner';
import { ToolCallInvoker } from './tools/tool-call.invoker';

const queue = BullModule.registerQueue({ name: CHAT_QUEUE });

/** What answers messages in any process, and keeps the chats that outlive theirs. */
@Module({
  imports: [queue, LlmModule, GuardrailsModule, RunsModule, ToolsModule],
  providers: [
    Agents,
    ChatDispatcher,
    ChatOptions,
    ChatSubmitter,
    ChatPurge,
    ChatRunner,
    ToolCallInvoker,
  ],
  exports: [
    BullModule,
    GuardrailsModule,
    RunsModule,
    ChatOptions,
    ChatSubmitter,
    ChatRunner,
  ],
})
export class ChatModule {
  static forWorker({ chat, runs }: AppConfig): DynamicModule {
    // A decorator by nature, applied here because its options are known only once the configuration is read.
    Processor(CHAT_QUEUE, {
      ...workerOptions(chat.concurrency, runs.leaseMs),
      autorun: false,
    })(ChatProcessor);
    return {
      module: ChatWorkerModule,
      imports: [ChatModule, RunStoreModule, RunWorkerModule],
      providers: [ChatProcessor, BackgroundChatRunner],
    };
  }

  static forDoctor(): DynamicModule {
    return {
      module: ChatDoctorModule,
      imports: [queue, RunStoreModule],
      providers: [ChatDispatcher],
      exports: [BullModule],
    };
  }
}

@Module({})
class ChatWorkerModule {}

@Module({})
class ChatDoctorModule {}
