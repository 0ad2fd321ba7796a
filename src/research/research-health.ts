import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { LearntMirror } from '../llm/models/learnt-mirror';
import { ModelChoice } from '../llm/models/model-choice';
import { readModelList } from '../llm/models/model-list';
import { UpstreamClient } from '../llm/upstream/upstream.client';
import { UpstreamError } from '../llm/upstream/upstream-error';
import {
  HealthFault,
  HealthRegistry,
} from '../platform/observability/health/health-registry';
import { EngineChoice } from './engine-choice';

const ASK_MS = 1_500;

/** What research needs beside Redis. Without any of it the API still accepts and answers: degraded, not down. */
@Injectable()
export class ResearchHealth implements OnModuleInit, OnApplicationBootstrap {
  private readonly log = new Logger('Research');

  constructor(
    private readonly health: HealthRegistry,
    private readonly upstream: UpstreamClient,
    private readonly models: ModelChoice,
    private readonly engines: EngineChoice,
    private readonly learnt: LearntMirror,
  ) {}

  onModuleInit(): void {
    this.health.register('upstream', () => this.checkUpstream(), {
      critical: false,
    });
    this.health.register('models', () => this.checkModels(), {
      critical: false,
    });
    this.health.register('research', () => this.checkEngine(), {
      critical: false,
    });
  }

  /** The start does not wait for the list of models. */
  onApplicationBootstrap(): void {
    void this.warn();
  }

  private async warn(): Promise<void> {
    await this.models.known();
    const { caveat } = this.engines;
    if (caveat) this.log.warn(caveat);
  }

  private async checkUpstream(): Promise<void> {
    try {
      await readModelList(this.upstream, AbortSignal.timeout(ASK_MS));
    } catch (error) {
      throw new HealthFault(
        error instanceof UpstreamError ? error.code : 'upstream_timeout',
      );
    }
  }

  /** What carries a run whose request names no engine. */
  private async checkEngine(): Promise<string> {
    await this.models.known();
    const { fault, summary, caveat } = this.engines;
    if (fault) throw new HealthFault(fault);
    return caveat ? `${summary}; ${caveat}` : summary;
  }

  /** Which models are used, what is wrong with them, such as names that the endpoint does not have, and what was learnt. */
  private async checkModels(): Promise<string> {
    const { faults, summary } = await this.models.known();
    if (faults.length > 0) throw new HealthFault(faults.join('; '));
    const learnt = await this.learnt.summary();
    return learnt ? `${summary}; learnt of ${learnt}` : summary;
  }
}
