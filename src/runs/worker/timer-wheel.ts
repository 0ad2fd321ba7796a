// By hand: one timer for thousands of sleepers, who wake together; a scheduler wakes each by itself.
const TICK_MS = 250;

/**
 * Wakes all sleepers that are due within the same quarter of a second together: thousands of resting runs cost one timer,
 * and their requests are sent in batches.
 */
export class TimerWheel {
  private readonly due = new Map<number, Set<() => void>>();
  private timer?: NodeJS.Timeout;

  /** Calls `wake` at the first tick after `ms`. Returns a function that cancels it. */
  in(ms: number, wake: () => void): () => void {
    const tick = Math.ceil((performance.now() + ms) / TICK_MS);
    const sleepers = this.due.get(tick) ?? new Set();
    this.due.set(tick, sleepers.add(wake));
    this.timer ??= this.arm();
    return () => {
      sleepers.delete(wake);
      if (sleepers.size === 0) this.due.delete(tick);
    };
  }

  private arm(): NodeJS.Timeout {
    const sinceTick = performance.now() % TICK_MS;
    return setTimeout(() => this.tick(), TICK_MS - sinceTick);
  }

  private tick(): void {
    const now = performance.now() / TICK_MS;
    for (const [tick, sleepers] of this.due) {
      if (tick > now) continue;
      this.due.delete(tick);
      for (const wake of sleepers) wake();
    }
    this.timer = this.due.size > 0 ? this.arm() : undefined;
  }
}
