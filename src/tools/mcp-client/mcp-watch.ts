import { backoff, pause } from '../../platform/pause';
import type { McpLink } from './mcp-link';

/** A server that reports changes constantly is listed at most this often. */
const MIN_LIST_INTERVAL_MS = 1_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** Keeps the tool list of a linked server current, and retires a link that no longer works. */
export class McpWatch {
  private stale = false;
  private refreshing = false;

  constructor(
    private readonly link: McpLink,
    private readonly onTools: (entries: unknown[]) => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Requests a new listing. Safe to call at any rate. */
  recheck(): void {
    this.stale = true;
    if (!this.refreshing) void this.refresh();
  }

  /** @throws what the SDK throws. */
  async list(): Promise<void> {
    const entries = await this.link.definitions();
    if (!this.link.ended.aborted) this.onTools(entries);
  }

  /** Subscribes to changes for as long as the link lasts. */
  async listen(): Promise<void> {
    const { link } = this;
    for (let attempt = 0; !link.ended.aborted; attempt++) {
      const began = Date.now();
      const listening = link.listen().catch(this.onError);
      // Changes between two subscriptions were not reported.
      if (attempt > 0) this.recheck();
      await listening;
      if (Date.now() - began > MAX_RETRY_MS) attempt = 0;
      await pause(backoff(attempt, FIRST_RETRY_MS, MAX_RETRY_MS), link.ended);
    }
  }

  private async refresh(): Promise<void> {
    const { link } = this;
    this.refreshing = true;
    while (this.stale && !link.ended.aborted) {
      this.stale = false;
      try {
        await this.list();
      } catch (error) {
        this.onError(error);
        // With calls in progress the link stays: each of them fails by itself and requests another check.
        if (!link.inUse) link.retire();
      }
      await pause(MIN_LIST_INTERVAL_MS, link.ended);
    }
    this.refreshing = false;
  }
}
