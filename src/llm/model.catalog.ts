import { Injectable, Logger } from '@nestjs/common';
import { UpstreamClient } from './upstream.client';

interface ModelList {
  data: { id: string; shutdown_date?: string | null }[];
}

const FRESH_MS = 10 * 60 * 1000;
const ASK_MS = 5_000;

/** Which models the endpoint has given up, so that a run is not started on one of them. */
@Injectable()
export class ModelCatalog {
  private readonly log = new Logger('ModelCatalog');
  private readonly gone = new Map<string, number>();
  private shutdowns = new Map<string, number>();
  private askedAt = 0;

  constructor(private readonly upstream: UpstreamClient) {}

  /** Those of `models` that can be used, in their order. All of them if none is left: then the endpoint shall say so. */
  async usable(models: readonly string[]): Promise<string[]> {
    await this.refresh();
    const left = models.filter((model) => !this.isGone(model));
    return left.length > 0 ? left : [...models];
  }

  /** The endpoint has just refused the model. It is asked again after a while. */
  markGone(model: string): void {
    if (!this.isGone(model))
      this.log.warn(`The model ${model} is gone and will be skipped`);
    this.gone.set(model, Date.now() + FRESH_MS);
  }

  isGone(model: string): boolean {
    const now = Date.now();
    return (
      (this.gone.get(model) ?? 0) > now ||
      (this.shutdowns.get(model) ?? Infinity) <= now
    );
  }

  private async refresh(): Promise<void> {
    if (Date.now() - this.askedAt < FRESH_MS) return;
    this.askedAt = Date.now();
    try {
      const list = await this.upstream.json<ModelList>({
        method: 'GET',
        path: '/models',
        signal: AbortSignal.timeout(ASK_MS),
      });
      this.shutdowns = new Map(
        list.data
          .filter((model) => model.shutdown_date)
          .map((model) => [model.id, Date.parse(model.shutdown_date!)]),
      );
    } catch {
      // Many gateways have no list of models. Without one, nothing is known to be gone.
      this.log.debug('The list of models could not be read');
    }
  }
}
