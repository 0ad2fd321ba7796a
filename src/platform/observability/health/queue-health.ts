import { getQueueToken } from '@nestjs/bullmq';
import type { OnModuleInit } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { workersOf } from './workers-of';
import { HealthFault, type HealthRegistry } from './health-registry';

/** Whether what is accepted is carried out: workers are connected, and no queue is paused. */
export class QueueHealth implements OnModuleInit {
  private queues: Queue[] = [];

  /** @param names of all queues; workers are expected at the first. */
  constructor(
    private readonly registry: HealthRegistry,
    private readonly modules: ModuleRef,
    private readonly names: readonly string[],
  ) {}

  onModuleInit(): void {
    this.queues = this.names.map((name) =>
      this.modules.get<Queue>(getQueueToken(name), { strict: false }),
    );
    this.registry.register('queue', () => this.check(), { critical: false });
  }

  private async check(): Promise<string> {
    const { queues } = this;
    const [workers, ...paused] = await Promise.all([
      workersOf(queues[0]),
      ...queues.map((queue) => queue.isPaused()),
    ]);
    const names = queues.filter((_, at) => paused[at]).map(({ name }) => name);
    const faults = [
      ...(workers === 0 ? ['no worker is connected'] : []),
      ...(names.length > 0 ? [`paused: ${names.join(', ')}`] : []),
    ];
    if (faults.length > 0) throw new HealthFault(faults.join('; '));
    if (workers === undefined)
      return 'workers unknown: the user of Redis may not run CLIENT LIST';
    return workers === 1 ? '1 worker' : `${workers} workers`;
  }
}
