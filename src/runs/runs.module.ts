import { Module } from '@nestjs/common';
import { AppendOnlyFileRewrite } from '../platform/redis/append-only-file-rewrite';
import { RedisMemory } from '../platform/redis/redis-memory';
import { EventLogSubscriber } from './events/event-log-subscriber';
import { SubscriberPresence } from './events/subscriber-presence';
import { WorkerSignals } from './queue/worker-signals';
import { QueuePositions } from './record/queue-positions';
import { KeptRuns } from './submit/kept-runs';
import { RunDeletion } from './ending/run-deletion';
import { RunReader } from './store/run-reader';
import { RunStore } from './store/run.store';
import { RunKinds } from './queue/run-kinds';
import { AdoptedRuns } from './repeats/adopted-runs';
import { RunsService } from './runs.service';
import { CallerRunsIndex } from './store/caller-runs-index';
import { CapacityStore } from './store/capacity.store';
import { IdempotencyStore } from './store/idempotency.store';
import { FollowUpsStore } from './store/follow-ups.store';
import { EmptiedRunsStore } from './store/emptied-runs.store';
import { KeptRunsStore } from './store/kept-runs.store';
import { RunSubmitter } from './submit/run-submitter';
import { EndListeners } from './ending/end-listeners';
import { Reconciler, ReconcilerSchedule } from './upkeep/reconciler';
import { ActiveRuns } from './worker/active-runs';
import { Quarantine } from './worker/quarantine';
import { RunProcessor } from './worker/run.processor';
import { RunWorker } from './worker/run.worker';

const stores = [
  RunKinds,
  { provide: QueuePositions, useExisting: RunKinds },
  RunStore,
  RunReader,
  CapacityStore,
  RedisMemory,
  EndListeners,
  WorkerSignals,
  RunDeletion,
  CallerRunsIndex,
  EmptiedRunsStore,
  FollowUpsStore,
  KeptRunsStore,
  KeptRuns,
  AppendOnlyFileRewrite,
  Reconciler,
];

/** Records, and what changes them. Of every process. */
@Module({ providers: stores, exports: stores })
export class RunStoreModule {}

/** Submits, follows and ends runs. */
@Module({
  imports: [RunStoreModule],
  providers: [
    RunsService,
    AdoptedRuns,
    RunSubmitter,
    IdempotencyStore,
    EventLogSubscriber,
    SubscriberPresence,
  ],
  exports: [RunStoreModule, RunsService, AdoptedRuns, EventLogSubscriber],
})
export class RunsModule {}

/** Carries runs out. Of worker processes. */
@Module({
  imports: [RunStoreModule],
  providers: [
    ActiveRuns,
    Quarantine,
    RunProcessor,
    RunWorker,
    ReconcilerSchedule,
  ],
  exports: [RunStoreModule, ActiveRuns, RunWorker],
})
export class RunWorkerModule {}
