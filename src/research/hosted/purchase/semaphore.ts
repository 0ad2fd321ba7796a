/** Lets so many through at once; the others wait in the order in which they came. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();
  private inside = 0;

  constructor(private readonly most: number) {}

  /** @throws what `action` throws, or the reason of `signal` if that aborts before there is a place. */
  async pass<T>(action: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.inside >= this.most) await this.place(signal);
    else this.inside += 1;
    try {
      return await action();
    } finally {
      const [next] = this.waiting;
      // Whoever is next takes over the place.
      if (next) next();
      else this.inside -= 1;
    }
  }

  private place(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.waiting.delete(enter);
        reject(signal.reason as Error);
      };
      const enter = (): void => {
        this.waiting.delete(enter);
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      this.waiting.add(enter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
