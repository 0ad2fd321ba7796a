// By hand: limiters of promises know no signal, so a caller that has gone would keep its turn.
/** Lets `limit` holders in at a time, in the order of their requests. */
export class Semaphore {
  private active = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limit: number) {}

  get idle(): boolean {
    return this.active === 0;
  }

  /** Resolves with the function that releases. @throws the reason of the signal. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.active < this.limit) this.active += 1;
    else await this.turn(signal);
    let held = true;
    return () => {
      if (held) this.release();
      held = false;
    };
  }

  async use<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.waiting.delete(begin);
        reject(signal.reason as Error);
      };
      this.waiting.add(begin);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** A holder that waits takes over the place, so that `active` stays. */
  private release(): void {
    const [next] = this.waiting;
    if (next === undefined) this.active -= 1;
    else {
      this.waiting.delete(next);
      next();
    }
  }
}

/** One semaphore for each key, which exists only while it is held. */
export class KeyedSemaphore {
  private readonly semaphores = new Map<string, Semaphore>();

  constructor(private readonly limit: number) {}

  async use<T>(
    key: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const semaphore = this.semaphores.get(key) ?? new Semaphore(this.limit);
    this.semaphores.set(key, semaphore);
    try {
      return await semaphore.use(signal, work);
    } finally {
      if (semaphore.idle) this.semaphores.delete(key);
    }
  }
}
