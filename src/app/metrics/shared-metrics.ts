import type { INestApplicationContext } from '@nestjs/common';
import type { AppConfig } from '../../config/config';
import type { MetricName } from '../../platform/metrics/definitions';
import type { MetricsRegistry } from '../../platform/metrics/registry';
import { within } from '../../platform/pause';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { RunKinds } from '../../runs/queue/run-kinds';
import { CapacityStore } from '../../runs/store/capacity.store';
import { RunReader } from '../../runs/store/run-reader';
import { AGES, InstallationSurvey } from './installation-survey';

/** A scrape waits for Redis no longer than this. */
const REDIS_TIMEOUT_MS = 1_000;
const JOB_STATES = [
  'active',
  'wait',
  'prioritized',
  'delayed',
  'failed',
] as const;
/** What cannot be known without Redis. */
const SHARED: MetricName[] = [
  'sonde_redis_latency_seconds',
  'sonde_unfinished_runs',
  'sonde_queue_jobs',
  'sonde_workers',
  'sonde_oldest_run_seconds',
];

/** The state of the whole installation, as one process sees it in Redis. */
export class SharedMetrics {
  private readonly redis: RedisConnections;
  private readonly capacity: CapacityStore;
  private readonly kinds: RunKinds;
  private readonly survey: InstallationSurvey;
  private reading?: Promise<void>;

  constructor(
    private readonly registry: MetricsRegistry,
    part: INestApplicationContext,
    { runs }: AppConfig,
  ) {
    this.redis = part.get(RedisConnections, { strict: false });
    this.capacity = part.get(CapacityStore, { strict: false });
    this.kinds = part.get(RunKinds, { strict: false });
    this.survey = new InstallationSurvey(
      this.redis,
      this.capacity,
      part.get(RunReader, { strict: false }),
      this.kinds,
    );
    registry.set('sonde_unfinished_runs_limit', runs.maxUnfinished);
  }

  /** Never fails; without an answer in time the values are left out. */
  async collect(): Promise<void> {
    // While Redis is away its commands wait for it, so no more of them are added.
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    const answered = this.reading.then(
      () => true,
      () => false,
    );
    const up = await within(REDIS_TIMEOUT_MS, answered);
    this.registry.set('sonde_redis_up', up ? 1 : 0);
    if (!up) for (const name of SHARED) this.registry.clear(name);
  }

  private async read(): Promise<void> {
    const { registry } = this;
    const begun = performance.now();
    await this.redis.commands.ping();
    const seconds = (performance.now() - begun) / 1_000;
    registry.set('sonde_redis_latency_seconds', seconds);
    registry.set('sonde_unfinished_runs', await this.capacity.count());
    for (const { dispatcher } of this.kinds.all()) {
      const { queue } = dispatcher;
      const counts = await queue.getJobCounts(...JOB_STATES);
      for (const state of JOB_STATES)
        registry.set('sonde_queue_jobs', counts[state] ?? 0, queue.name, state);
    }
    await this.readSurvey();
  }

  private async readSurvey(): Promise<void> {
    const { registry } = this;
    const found = await this.survey.read();
    // What is known of it may have become less.
    registry.clear('sonde_workers');
    registry.clear('sonde_oldest_run_seconds');
    if (!found) return;
    for (const [queue, count] of Object.entries(found.workers))
      registry.set('sonde_workers', count, queue);
    for (const state of AGES) {
      const seconds = found.ages[state] / 1_000;
      registry.set('sonde_oldest_run_seconds', seconds, state);
    }
  }
}
