import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Worker } from 'bullmq';
import { AppConfig } from '../../config/config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { type RunJob, workerOptions } from '../queue/run-queue';
import { RunKinds } from '../queue/run-kinds';
import { ActiveRuns } from './active-runs';
import type { RunHandler } from './run.handler';
import { RunProcessor } from './run.processor';

interface Registration {
  handler: RunHandler;
  kind: string;
  concurrency: number;
}

/** Takes deliveries from the queue of every kind that has a handler in this process. */
@Injectable()
export class RunWorker
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly log = new Logger('RunWorker');
  private readonly registrations: Registration[] = [];
  readonly workers: Worker<RunJob>[] = [];

  constructor(
    private readonly kinds: RunKinds,
    private readonly processor: RunProcessor,
    private readonly active: ActiveRuns,
    private readonly config: AppConfig,
    private readonly connections: RedisConnections,
  ) {}

  /** @param concurrency runs of this kind that the process carries at a time. */
  register(kind: string, handler: RunHandler, concurrency: number): void {
    this.registrations.push({ kind, handler, concurrency });
  }

  /** Every tool is registered by now. */
  onApplicationBootstrap(): void {
    for (const registration of this.registrations)
      this.workers.push(this.open(registration));
  }

  /** Hands every run back, so that other workers continue them at once. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.pause(true)));
    this.active.stopAll();
    await Promise.all(this.workers.map((worker) => worker.close()));
    await this.wakeOthers();
  }

  /** One of these workers may have taken the wake-up for what it handed back: it was closing. */
  private async wakeOthers(): Promise<void> {
    const { commands } = this.connections;
    // Without Redis the others look into the queues by themselves, once it is back.
    if (commands.status !== 'ready') return;
    const markers = this.workers.map((worker) => worker.toKey('marker'));
    // As BullMQ marks a queue that has jobs.
    await Promise.allSettled(markers.map((key) => commands.zadd(key, 0, '0')));
  }

  private open({ kind, handler, concurrency }: Registration): Worker<RunJob> {
    const { name, opts } = this.kinds.dispatcherOf(kind).queue;
    const { leaseMs } = this.config.runs;
    const worker = new Worker<RunJob>(
      name,
      (job, token) => this.processor.process(handler, job, token),
      {
        connection: opts.connection,
        prefix: opts.prefix,
        ...workerOptions(concurrency, leaseMs),
      },
    );
    worker.on('completed', (job) => void this.processor.onCompleted(job));
    // RedisConnections reports outages; leases and fences make lost locks harmless.
    worker.on('error', (error) => this.log.debug(error));
    return worker;
  }
}
