import { PageUnreadable } from '../page.types';

/** A time limit over several pieces of work; what passes between them does not count. */
export class TimeBudget {
  constructor(private leftMs: number) {}

  /**
   * Nothing of the work stays at the parent signal, which may live for an hour.
   * @throws PageUnreadable when the time is up, or the reason of the parent signal, even if the work ignores its signal.
   */
  async spend<T>(
    parent: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    parent.throwIfAborted();
    const limit = new AbortController();
    const follow = (): void => limit.abort(parent.reason);
    let end!: () => void;
    const aborted = new Promise<never>((_, reject) => {
      end = () => reject(limit.signal.reason as Error);
    });
    parent.addEventListener('abort', follow);
    limit.signal.addEventListener('abort', end);
    const timer = setTimeout(() => limit.abort(), this.leftMs);
    const startedAt = performance.now();
    try {
      return await Promise.race([work(limit.signal), aborted]);
    } catch (cause) {
      parent.throwIfAborted();
      if (limit.signal.aborted) throw new PageUnreadable('timeout', { cause });
      throw cause;
    } finally {
      clearTimeout(timer);
      parent.removeEventListener('abort', follow);
      limit.signal.removeEventListener('abort', end);
      this.leftMs = Math.max(0, this.leftMs - performance.now() + startedAt);
    }
  }
}
