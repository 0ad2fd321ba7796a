import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { GuardrailsModule } from '../tools/guardrails/guardrails.module';
import { LedgerModule } from '../llm/prices/ledger.module';
import { LlmModule } from '../llm/llm.module';
import {
  RunStoreModule,
  RunWorkerModule,
  RunsModule,
} from '../runs/runs.module';
import { SpendModule } from '../tenants/spend/spend.module';
import { ToolsModule } from '../tools/tools.module';
import { Agents } from './turns/chat-agents';
import { ChatOptions } from './loop/chat-options';
import { ChatHandler } from './background/chat.handler';
import { CHAT_QUEUE, ChatKind } from './background/chat-kind';
import { ChatSubmitter } from './background/chat-submitter';
import { ChatRunner } from './loop/chat-runner';
import { ChatSpending } from './loop/chat-spending';
import { BackgroundChatRunner } from './background/background-chat-runner';
import { ToolCallInvoker } from './tools/tool-call-invoker';

const queue = BullModule.registerQueue({ name: CHAT_QUEUE });

/** Runs chats in any process, and submits chats on record. */
@Module({
  imports: [
    queue,
    LlmModule,
    LedgerModule,
    GuardrailsModule,
    RunsModule,
    SpendModule,
    ToolsModule,
  ],
  providers: [
    Agents,
    ChatKind,
    ChatOptions,
    ChatSubmitter,
    ChatRunner,
    ChatSpending,
    ToolCallInvoker,
  ],
  exports: [
    BullModule,
    GuardrailsModule,
    LlmModule,
    RunsModule,
    SpendModule,
    ChatOptions,
    ChatSubmitter,
    ChatRunner,
    ChatSpending,
  ],
})
export class ChatModule {
  static forWorker(): DynamicModule {
    return {
      module: ChatWorkerModule,
      imports: [ChatModule, RunWorkerModule],
      providers: [ChatHandler, BackgroundChatRunner],
    };
  }

  static forDoctor(): DynamicModule {
    return {
      module: ChatDoctorModule,
      imports: [queue, RunStoreModule, SpendModule],
      providers: [ChatKind],
      exports: [BullModule],
    };
  }
}

@Module({})
class ChatWorkerModule {}

@Module({})
class ChatDoctorModule {}
