import { setTimeout as sleep } from 'node:timers/promises';
import { isRedisUnavailable } from '../../redis/redis-unavailable';
import type { Append, Claim, RunStore } from '../record/run.store';

const RETRY_MS = 500;

export type Appended = 'ok' | 'fenced' | 'final' | 'too_large';

/**
 * Adds to the record of a run that this process holds, one write after the other. Each is repeated until its outcome is
 * known, for what is written next goes by the place that was reached; a Redis that is away is waited for.
 */
export class RunWriter {
  private readonly id: string;
  private readonly fence: string;
  private seq: number;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: RunStore,
    { id, fence, fields }: Claim,
    /** Ends the wait for a Redis that is away. */
    private readonly signal: AbortSignal,
  ) {
    this.id = id;
    this.fence = fence;
    this.seq = Number(fields.seq);
  }

  /** @throws the signal's reason, or an error that is no outage. */
  append(append: Append): Promise<Appended> {
    const written = this.last.then(() => this.write(append));
    this.last = written.catch(() => undefined);
    return written;
  }

  private async write(append: Append): Promise<Appended> {
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
