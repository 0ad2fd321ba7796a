import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Part } from '../../platform/message/message';
import { textOf } from '../../platform/message/part-text';
import type { RunEvent } from '../../runs/record/run-event';
import type { ProgressData } from '../../runs/record/progress';
import type { Claim, RunStore } from '../../runs/store/run.store';
import { RunWriter } from '../../runs/worker/run-writer';

/** A reader sees no more than a few a second anyway. */
const PROGRESS_EVERY_MS = 200;
const MAX_PROGRESS = 1_000;
const MAX_DETAIL = 500;

/** What a worker writes about a tool that it runs: its progress, as much of it as anybody can read, and its result. */
export class ToolRunWriter {
  private readonly log = new Logger('ToolRunWriter');
  private readonly writer: RunWriter;
  private latest?: ProgressData;
  private reported = 0;
  private writing?: Promise<void>;
  private readonly closing = new AbortController();

  constructor(
    store: RunStore,
    claim: Claim,
    private readonly kind: 'tool' | 'mcp',
    /** Ends the wait for a Redis that is away. */
    signal: AbortSignal,
  ) {
    this.writer = new RunWriter(store, claim, signal);
  }

  /** Costs next to nothing: only the last word of each fifth of a second is written. */
  progress(
    detail: string,
    of: { progress?: number; total?: number } = {},
  ): void {
    if (this.closing.signal.aborted || this.reported >= MAX_PROGRESS) return;
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
  async result(contents: readonly Part[]): Promise<void> {
    this.close();
    await this.writing;
    const text = textOf(contents);
    const events: RunEvent[] =
      text === '' ? [] : [{ type: 'output_text', data: { text } }];
    const fields = { contents: JSON.stringify(contents) };
    await this.writer.append({ events, text, fields });
  }

  /** Reports no progress from here on: a tool that was stopped may still emit some. */
  close(): void {
    this.closing.abort();
  }

  private async writeLatest(): Promise<void> {
    const { signal } = this.closing;
    try {
      while (this.latest && !signal.aborted) {
        const data = this.latest;
        this.latest = undefined;
        this.reported += 1;
        const last = { searches: 0, pages_opened: 0, last_step: data.detail };
        await this.writer.append({
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
}
