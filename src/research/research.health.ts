import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { AppConfig } from '../config/config';
import { ModelCatalog } from '../llm/model.catalog';
import { UpstreamClient } from '../llm/upstream.client';
import { UpstreamError } from '../llm/upstream.error';
import { HealthFault, HealthRegistry } from '../observability/health.registry';
import { RESEARCH_QUEUE } from './research.queue';

const ASK_MS = 1_500;

/** What research needs beside Redis. Without any of it the API still accepts and answers: degraded, not down. */
@Injectable()
export class ResearchHealth implements OnModuleInit {
  constructor(
    private readonly health: HealthRegistry,
    @InjectQueue(RESEARCH_QUEUE) private readonly queue: Queue,
    private readonly upstream: UpstreamClient,
    private readonly catalog: ModelCatalog,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.health.register('queue', () => this.checkQueue(), { critical: false });
    this.health.register('upstream', () => this.checkUpstream(), {
      critical: false,
    });
    this.health.register('models', () => this.checkModels(), {
      critical: false,
    });
  }

  private async checkQueue(): Promise<void> {
    if ((await this.queue.getWorkersCount()) === 0)
      throw new HealthFault('no worker is connected');
  }

  private async checkUpstream(): Promise<void> {
    try {
      await this.upstream.json({
        method: 'GET',
        path: '/models',
        signal: AbortSignal.timeout(ASK_MS),
      });
    } catch (error) {
      // A gateway without a list of models is there all the same.
      if (
        error instanceof UpstreamError &&
        error.definite &&
        error.code !== 'upstream_unauthorized'
      )
        return;
      throw new HealthFault(
        error instanceof UpstreamError ? error.code : 'upstream_timeout',
      );
    }
  }

  private async checkModels(): Promise<void> {
    // Asks the endpoint now and then which models it has given up.
    await this.catalog.usable(this.config.upstream.researchModels);
    const gone = this.config.upstream.researchModels.filter((model) =>
      this.catalog.isGone(model),
    );
    if (gone.length > 0) throw new HealthFault(`gone: ${gone.join(', ')}`);
  }
}
