/** Runs at most `limit` actions at once; the others wait in the order in which they came. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();
  private active = 0;

  constructor(private readonly limit: number) {}

  /** @throws the error of `action`, or the reason of `signal` if that aborts before the action begins. */
  async run<T>(action: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.active >= this.limit) await this.slot(signal);
    else this.active += 1;
    try {
      return await action();
    } finally {
      const [next] = this.waiting;
      // The slot passes to the next action, so the count stays.
      if (next) next();
      else this.active -= 1;
    }
  }

  private slot(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.waiting.delete(enter);
        reject(signal.reason as Error);
      };
      const enter = (): void => {
        this.waiting.delete(enter);
        signal.removeEventListener('abort', abort);
        resolve();
      };
      this.waiting.add(enter);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
