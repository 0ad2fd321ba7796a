import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Part } from '../message/message';
import { textOf } from '../message/part.text';
import { isRedisUnavailable } from '../redis/redis-unavailable';
import type { ProgressData, RunEvent } from './invocation';
import type { Append, Claim, InvocationStore } from './invocation.store';

/** A reader sees no more than a few a second anyway. */
const PROGRESS_EVERY_MS = 200;
const MAX_PROGRESS = 1_000;
const MAX_DETAIL = 500;
const RETRY_MS = 500;

type Appended = 'ok' | 'fenced' | 'final' | 'too_large';

/** What a worker writes about a tool that it runs: its progress, as much of it as anybody can read, and its result. */
export class ToolJournal {
  private readonly log = new Logger('ToolJournal');
  private readonly id: string;
  private readonly fence: string;
  private seq: number;
  private latest?: ProgressData;
  private told = 0;
  private writing?: Promise<void>;
  private readonly closing = new AbortController();

  constructor(
    private readonly store: InvocationStore,
    { id, fence, fields }: Claim,
    private readonly kind: 'tool' | 'mcp',
    /** Ends the wait for a Redis that is away. */
    private readonly signal: AbortSignal,
  ) {
    this.id = id;
    this.fence = fence;
    this.seq = Number(fields.seq);
  }

  /** Costs next to nothing: only the last word of each fifth of a second is written. */
  progress(
    detail: string,
    of: { progress?: number; total?: number } = {},
  ): void {
    if (this.closing.signal.aborted || this.told >= MAX_PROGRESS) return;
    this.latest = {
      kind: this.kind,
      detail: String(detail).slice(0, MAX_DETAIL).toWellFormed(),
      ...(Number.isFinite(of.progress) && { progress: of.progress }),
      ...(Number.isFinite(of.total) && { total: of.total }),
    };
    this.writing ??= this.writeLatest();
  }

  /**
   * Writes down the result, in one step with the text that it comes to. Once that is done, another worker that takes over
   * ends the run with it. A Redis that is away is waited for: the work is done and may not be repeatable.
   */
  async result(contents: readonly Part[]): Promise<Appended> {
    this.close();
    await this.writing;
    const text = textOf(contents);
    const events: RunEvent[] =
      text === '' ? [] : [{ type: 'output_text', data: { text } }];
    const fields = { contents: JSON.stringify(contents) };
    return this.append({ events, text, fields });
  }

  /** No progress from here on: a tool that was stopped may go on to tell of it. */
  close(): void {
    this.closing.abort();
  }

  private async writeLatest(): Promise<void> {
    const { signal } = this.closing;
    try {
      while (this.latest && !signal.aborted) {
        const data = this.latest;
        this.latest = undefined;
        this.told += 1;
        const last = { searches: 0, pages_opened: 0, last_step: data.detail };
        await this.append({
          events: [{ type: 'progress', data }],
          fields: { progress: JSON.stringify(last) },
        });
        await sleep(PROGRESS_EVERY_MS, undefined, { signal });
      }
    } catch {
      // No progress is worth a result.
      if (!signal.aborted) this.log.debug('Progress could not be written');
    } finally {
      this.writing = undefined;
    }
  }

  /** Repeated until its outcome is known: what is written next goes by the place that was reached. */
  private async append(append: Append): Promise<Appended> {
    for (;;) {
      try {
        const { id, fence, seq } = this;
        const written = await this.store.append(id, fence, seq, append);
        if (typeof written !== 'number') return written;
        this.seq = written;
        return 'ok';
      } catch (error) {
        if (!isRedisUnavailable(error)) throw error;
        await sleep(RETRY_MS, undefined, { signal: this.signal });
      }
    }
  }
}
