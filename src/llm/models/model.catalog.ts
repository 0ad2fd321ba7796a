import { Injectable, Logger } from '@nestjs/common';
import { AppError, type ErrorCode } from '../../errors';
import { type ModelList, readModelList } from './model.list';
import { UpstreamClient } from '../upstream/upstream.client';

const FRESH_MS = 10 * 60 * 1000;
const ASK_MS = 5_000;
const RETRY_FIRST_MS = 2_000;
const RETRY_MOST_MS = 60_000;

/**
 * What is known of the models of the endpoint: which it lists, and which it has given up. Asked again every ten minutes,
 * sooner while there is no answer; what was known before stays until there is a new one.
 */
@Injectable()
export class ModelCatalog {
  private readonly log = new Logger('ModelCatalog');
  private readonly gone = new Map<string, number>();
  private list?: ModelList;
  /** Without its path -> the first name on the list that ends so. */
  private byLastPart = new Map<string, string>();
  private failed?: ErrorCode;
  private failures = 0;
  private dueAt = 0;
  private asking?: Promise<void>;

  constructor(private readonly upstream: UpstreamClient) {}

  /** Asks the endpoint if that is due, for at most 5 s. Never throws. */
  refresh(): Promise<void> {
    if (!this.asking && Date.now() >= this.dueAt)
      this.asking = this.ask().finally(() => (this.asking = undefined));
    return this.asking ?? Promise.resolve();
  }

  /** Waits for the first answer, or its failure; afterwards what is known is good enough while it is asked again. */
  async known(): Promise<void> {
    const asking = this.refresh();
    if (this.list === undefined && this.failures === 0) await asking;
  }

  /** When it is due to be asked again. */
  get dueInMs(): number {
    return Math.max(0, this.dueAt - Date.now());
  }

  /** Why the endpoint did not answer when it was last asked; undefined if it did. */
  get fault(): ErrorCode | undefined {
    return this.failed;
  }

  /** Empty where the endpoint lists none, or has not answered yet. */
  get names(): readonly string[] {
    return this.list?.names ?? [];
  }

  /** Whether a model that is not on the list does not exist. */
  get complete(): boolean {
    return this.list?.complete ?? false;
  }

  /** The model as the list has it: proxies put a path before the name, e.g. `openai/gpt-4o`. Undefined: not listed, or gone. */
  offered(model: string): string | undefined {
    const name = this.names.includes(model)
      ? model
      : this.byLastPart.get(model);
    return name === undefined || this.isGone(name) ? undefined : name;
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
      (this.list?.shutdowns.get(model) ?? Infinity) <= now
    );
  }

  private async ask(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(ASK_MS);
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
      this.dueAt = Date.now() + Math.min(ms, RETRY_MOST_MS);
    }
  }
}
