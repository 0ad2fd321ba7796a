import { Module } from '@nestjs/common';
import { ToolsModule } from '../tools/tools.module';
import { CallerIndex } from './caller.index';
import { EventAttention } from './event.attention';
import { EventFeed } from './event.feed';
import { IdempotencyStore } from './idempotency.store';
import { InvocationBell } from './invocation.bell';
import { InvocationController } from './invocation.controller';
import { InvocationEndings } from './invocation.endings';
import { InvocationListing } from './invocation.listing';
import { InvocationReader } from './invocation.reader';
import { InvocationStore } from './invocation.store';
import { Reconciler } from './reconciler';
import { ToolInvocationsController } from './tool-invocations.controller';
import { ToolInvocationsService } from './tool-invocations.service';
import { ToolsController } from './tools.controller';
import { UnfinishedIndex } from './unfinished.index';

/** The records and how a process that runs them changes them. */
@Module({
  imports: [ToolsModule],
  providers: [
    InvocationStore,
    InvocationReader,
    UnfinishedIndex,
    InvocationEndings,
    InvocationBell,
    Reconciler,
  ],
  exports: [
    InvocationStore,
    InvocationReader,
    UnfinishedIndex,
    InvocationEndings,
    InvocationBell,
    Reconciler,
  ],
})
export class InvocationStoreModule {}

/** How a tool is invoked over HTTP and by chat. */
@Module({
  imports: [InvocationStoreModule, ToolsModule],
  controllers: [
    ToolInvocationsController,
    InvocationController,
    ToolsController,
  ],
  providers: [
    ToolInvocationsService,
    InvocationListing,
    CallerIndex,
    IdempotencyStore,
    EventFeed,
    EventAttention,
  ],
  exports: [ToolInvocationsService],
})
export class ToolInvocationsModule {}
