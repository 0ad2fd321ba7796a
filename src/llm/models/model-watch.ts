import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import { ModelCatalog } from './model-catalog';
import { ModelChoice } from './model-choice';

const MIN_INTERVAL_MS = 1_000;

/**
 * Loads the list of models at the start and every ten minutes, and logs which upstream and models are used and what is
 * wrong with them, once and on every change. The start never waits for it.
 */
@Injectable()
export class ModelWatch
  implements OnApplicationBootstrap, OnApplicationShutdown
{
  /** Shared by the whole process: an API and a worker in one process would log the same lines. */
  private static logged = new Set<string>();
  private readonly log = new Logger('Models');
  private timer?: NodeJS.Timeout;
  private closed = false;

  constructor(
    private readonly catalog: ModelCatalog,
    private readonly choice: ModelChoice,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    void this.refresh();
  }

  onApplicationShutdown(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private async refresh(): Promise<void> {
    await this.catalog.refresh();
    if (this.closed) return;
    this.report();
    const ms = Math.max(this.catalog.dueInMs, MIN_INTERVAL_MS);
    this.timer = setTimeout(() => void this.refresh(), ms).unref();
  }

  private report(): void {
    const { fault } = this.catalog;
    const { baseUrl } = this.config.upstream;
    const now = new Set([
      `Upstream ${baseUrl}; models: ${this.choice.summary}`,
      ...(fault
        ? [`The list of models could not be read: ${messageOf(fault)}`]
        : []),
      ...this.choice.faults,
    ]);
    const before = ModelWatch.logged;
    ModelWatch.logged = now;
    for (const [at, line] of [...now].entries()) {
      if (before.has(line)) continue;
      if (at === 0) this.log.log(line);
      else this.log.warn(line);
    }
  }
}

function messageOf(code: AppError['code']): string {
  return new AppError(code).message;
}
