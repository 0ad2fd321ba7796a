import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { ToolsModule } from '../tools/tools.module';
import { CallerRunsIndex } from './submit/caller-runs.index';
import { DispatcherRegistry } from './queue/dispatcher.registry';
import { SubscriberPresence } from './events/subscriber-presence';
import { EventLogSubscriber } from './events/event-log.subscriber';
import { ActiveRuns } from './worker/active-runs';
import { IdempotencyStore } from './submit/idempotency.store';
import { WorkerSignals } from './events/worker-signals';
import { EndListeners } from './upkeep/end-listeners';
import { RunSubmitter } from './submit/run.submitter';
import { AppendOnlyFileRewrite } from '../redis/append-only-file.rewrite';
import { RunDeletion } from './record/run.deletion';
import { RunReader } from './record/run.reader';
import { RunStore } from './record/run.store';
import { Reconciler } from './upkeep/reconciler';
import { ReconcilerSchedule } from './upkeep/reconciler.schedule';
import { RunsService } from './runs.service';
import { ToolExecutor } from '../tool-invocations/execution/tool.executor';
import { TOOL_QUEUE } from '../tool-invocations/execution/tool.queue';
import { CapacityStore } from './submit/capacity.store';

/** The records and how a process that runs them changes them. */
@Module({
  imports: [ToolsModule, BullModule.registerQueue({ name: TOOL_QUEUE })],
  providers: [
    DispatcherRegistry,
    RunStore,
    RunReader,
    CapacityStore,
    EndListeners,
    WorkerSignals,
    RunDeletion,
    CallerRunsIndex,
    AppendOnlyFileRewrite,
    Reconciler,
  ],
  exports: [
    BullModule,
    DispatcherRegistry,
    RunStore,
    RunReader,
    CapacityStore,
    EndListeners,
    WorkerSignals,
    RunDeletion,
    CallerRunsIndex,
    AppendOnlyFileRewrite,
    Reconciler,
  ],
})
export class RunStoreModule {}

/** What a process needs that carries invocations out. */
@Module({
  imports: [RunStoreModule],
  providers: [ActiveRuns, ReconcilerSchedule, ToolExecutor],
  exports: [ActiveRuns, ToolExecutor],
})
export class RunWorkerModule {}

/** How a tool is invoked, over HTTP, by chat or by another tool. */
@Module({
  imports: [RunStoreModule, ToolsModule],
  providers: [
    RunsService,
    RunSubmitter,
    IdempotencyStore,
    EventLogSubscriber,
    SubscriberPresence,
  ],
  exports: [RunStoreModule, RunsService, EventLogSubscriber],
})
export class RunsModule {}
