import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { ToolsModule } from '../tools/tools.module';
import { CallerIndex } from './caller.index';
import { Carriers } from './carriers';
import { EventAttention } from './event.attention';
import { EventFeed } from './event.feed';
import { HeldRuns } from './held-runs';
import { IdempotencyStore } from './idempotency.store';
import { InvocationBell } from './invocation.bell';
import { InvocationEndings } from './invocation.endings';
import { InvocationIntake } from './invocation.intake';
import { LogRewrite } from '../redis/log.rewrite';
import { InvocationRemoval } from './invocation.removal';
import { InvocationReader } from './invocation.reader';
import { InvocationStore } from './invocation.store';
import { Reconciler } from './reconciler';
import { ReconcilerSchedule } from './reconciler.schedule';
import { ToolInvocationsService } from './tool-invocations.service';
import { ToolEngine } from './tool.engine';
import { TOOL_QUEUE } from './tool.queue';
import { UnfinishedIndex } from './unfinished.index';

/** The records and how a process that runs them changes them. */
@Module({
  imports: [ToolsModule, BullModule.registerQueue({ name: TOOL_QUEUE })],
  providers: [
    Carriers,
    InvocationStore,
    InvocationReader,
    UnfinishedIndex,
    InvocationEndings,
    InvocationBell,
    InvocationRemoval,
    CallerIndex,
    LogRewrite,
    Reconciler,
  ],
  exports: [
    BullModule,
    Carriers,
    InvocationStore,
    InvocationReader,
    UnfinishedIndex,
    InvocationEndings,
    InvocationBell,
    InvocationRemoval,
    CallerIndex,
    LogRewrite,
    Reconciler,
  ],
})
export class InvocationStoreModule {}

/** What a process needs that carries invocations out. */
@Module({
  imports: [InvocationStoreModule],
  providers: [HeldRuns, ReconcilerSchedule, ToolEngine],
  exports: [HeldRuns, ToolEngine],
})
export class InvocationWorkerModule {}

/** How a tool is invoked, over HTTP, by chat or by another tool. */
@Module({
  imports: [InvocationStoreModule, ToolsModule],
  providers: [
    ToolInvocationsService,
    InvocationIntake,
    IdempotencyStore,
    EventFeed,
    EventAttention,
  ],
  exports: [InvocationStoreModule, ToolInvocationsService, EventFeed],
})
export class ToolInvocationsModule {}
