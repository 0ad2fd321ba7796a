import { AppendOnlyFileRewrite } from '../../src/platform/redis/append-only-file-rewrite';
import { EventLogSubscriber } from '../../src/runs/events/event-log-subscriber';
import { SubscriberPresence } from '../../src/runs/events/subscriber-presence';
import { WorkerSignals } from '../../src/runs/queue/worker-signals';
import { RunDeletion } from '../../src/runs/ending/run-deletion';
import { EmptiedRunsStore } from '../../src/runs/store/emptied-runs.store';
import { FollowUpsStore } from '../../src/runs/store/follow-ups.store';
import { RunReader } from '../../src/runs/store/run-reader';
import { RunsService } from '../../src/runs/runs.service';
import { CallerRunsIndex } from '../../src/runs/store/caller-runs-index';
import { IdempotencyStore } from '../../src/runs/store/idempotency.store';
import { RunSubmitter } from '../../src/runs/submit/run-submitter';
import type { Invocations } from './invocations';

/** The service of runs as an API process has it. */
export function runsService(room: Invocations) {
  const { connections, config, store, endings, kinds } = room;
  const reader = new RunReader(connections, kinds);
  const callers = new CallerRunsIndex(connections, config);
  const idempotency = new IdempotencyStore(connections);
  const signals = new WorkerSignals(connections);
  const feed = new EventLogSubscriber(
    connections,
    reader,
    new SubscriberPresence(store, signals, kinds),
  );
  feed.onModuleInit();
  const intake = new RunSubmitter(
    config,
    store,
    reader,
    room.unfinished,
    endings,
    kinds,
    callers,
    idempotency,
  );
  const removal = new RunDeletion(
    store,
    reader,
    endings,
    kinds,
    callers,
    signals,
    new AppendOnlyFileRewrite(connections, config),
    new FollowUpsStore(connections),
    new EmptiedRunsStore(connections),
  );
  const service = new RunsService(
    config,
    intake,
    store,
    reader,
    kinds,
    callers,
    feed,
    removal,
    new FollowUpsStore(connections),
  );
  return { service, intake, feed };
}
