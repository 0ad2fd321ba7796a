import { Injectable, Logger } from '@nestjs/common';
import { AppError, type ErrorCode } from '../../platform/errors';
import { type ModelList, readModelList } from './model-list';
import { UpstreamClient } from '../upstream/upstream.client';

const FRESH_MS = 10 * 60 * 1000;
const LOAD_MS = 5_000;
const RETRY_FIRST_MS = 2_000;
const RETRY_MAX_MS = 60_000;

/**
 * What is known about the models of the endpoint: which it lists, and which are no longer available. Refreshed every ten
 * minutes, sooner after a failure. Until then, and while the endpoint does not respond, the last list stays in use.
 */
@Injectable()
export class ModelCatalog {
  private readonly log = new Logger('ModelCatalog');
  private readonly unavailableUntil = new Map<string, number>();
  private list?: ModelList;
  /** Name without its path -> the first listed name that ends with it. */
  private byLastPart = new Map<string, string>();
  private failed?: ErrorCode;
  private failures = 0;
  private dueAt = 0;
  private refreshing?: Promise<void>;

  constructor(private readonly upstream: UpstreamClient) {}

  /** Requests the list if it is due, for at most 5 s. Never throws. */
  refresh(): Promise<void> {
    if (!this.refreshing && Date.now() >= this.dueAt)
      this.refreshing = this.load().finally(
        () => (this.refreshing = undefined),
      );
    return this.refreshing ?? Promise.resolve();
  }

  /** Waits for the first list, or its failure. Later the known list is used while it is refreshed. */
  async known(): Promise<void> {
    const refreshing = this.refresh();
    if (this.list === undefined && this.failures === 0) await refreshing;
  }

  /** The time until the next refresh. */
  get dueInMs(): number {
    return Math.max(0, this.dueAt - Date.now());
  }

  /** Why the last refresh failed; undefined if it did not. */
  get fault(): ErrorCode | undefined {
    return this.failed;
  }

  /** Empty if the endpoint lists none, or has not responded yet. */
  get names(): readonly string[] {
    return this.list?.names ?? [];
  }

  /** Whether a model that is not on the list does not exist. */
  get complete(): boolean {
    return this.list?.complete ?? false;
  }

  /**
   * The name under which the list has the model: proxies put a path before it, e.g. `openai/gpt-4o`. Undefined if it is not
   * listed, or no longer available.
   */
  nameOf(model: string): string | undefined {
    const name = this.names.includes(model)
      ? model
      : this.byLastPart.get(model);
    return name === undefined || this.isUnavailable(name) ? undefined : name;
  }

  /** Called when the endpoint refused the model, which is then skipped for ten minutes. */
  markUnavailable(model: string): void {
    if (!this.isUnavailable(model))
      this.log.warn(
        `The model ${model} is no longer available and is skipped for ten minutes`,
      );
    this.unavailableUntil.set(model, Date.now() + FRESH_MS);
  }

  isUnavailable(model: string): boolean {
    const now = Date.now();
    return (
      (this.unavailableUntil.get(model) ?? 0) > now ||
      (this.list?.shutdowns.get(model) ?? Infinity) <= now
    );
  }

  private async load(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(LOAD_MS);
      this.list = await readModelList(this.upstream, signal);
      this.byLastPart = new Map(
        [...this.list.names]
          .reverse()
          .map((name) => [name.slice(name.lastIndexOf('/') + 1), name]),
      );
      this.failed = undefined;
      this.failures = 0;
      this.dueAt = Date.now() + FRESH_MS;
    } catch (error) {
      this.failed = error instanceof AppError ? error.code : 'upstream_timeout';
      const ms = RETRY_FIRST_MS * 2 ** this.failures;
      this.failures += 1;
      this.dueAt = Date.now() + Math.min(ms, RETRY_MAX_MS);
    }
  }
}
