import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../platform/errors';
import { isRedisUnavailable } from '../../platform/redis/redis-unavailable';
import type { Append, Claim, RunStore } from '../store/run.store';
import { reachStagesOf } from '../ending/job-log';

const RETRY_MS = 500;

/** The claim is lost: another worker has the run, or it has ended. Nothing more may be done for it. */
export class RunLost extends Error {}

/**
 * Adds to the record of a run that this process holds, one write after the other. With a signal each write is repeated
 * while Redis is unavailable, until its outcome is known; a write is never applied twice.
 */
export class RunWriter {
  readonly id: string;
  readonly fence: string;
  private seq: number;
  private last: Promise<unknown> = Promise.resolve();

  /** @param signal ends the wait for an unavailable Redis; undefined: there is none. */
  constructor(
    private readonly store: RunStore,
    { id, fence, fields }: Pick<Claim, 'id' | 'fence' | 'fields'>,
    private readonly signal?: AbortSignal,
  ) {
    this.id = id;
    this.fence = fence;
    this.seq = Number(fields.seq);
  }

  /** @throws RunLost, AppError `output_too_large` or `journal_too_large`, the signal's reason, or the error of the write. */
  append(append: Append): Promise<void> {
    const { text, events = [] } = append;
    // Progress may be left out, and without an event a repeated write would add its text again.
    if (text && events.every(({ type }) => type === 'progress'))
      throw new TypeError('Text is written together with its event');
    const written = this.last.then(() => this.write(append));
    this.last = written.catch(() => undefined);
    return written;
  }

  private async write(append: Append): Promise<void> {
    const { id, fence, seq } = this;
    const written = await this.attempt(() =>
      this.store.append(id, fence, seq, append),
    );
    if (written === 'too_large') throw new AppError('output_too_large');
    if (written === 'journal_too_large')
      throw new AppError('journal_too_large');
    if (typeof written !== 'number') throw new RunLost();
    this.seq = written;
    reachStagesOf(append.events ?? []);
  }

  private async attempt<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!this.signal || !isRedisUnavailable(error)) throw error;
        await sleep(RETRY_MS, undefined, { signal: this.signal });
      }
    }
  }
}
