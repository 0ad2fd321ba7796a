import type { Cluster, Redis } from 'ioredis';

const EVERY_MS = 30_000;

/**
 * The clock of Redis without asking it each time, so that processes agree on when something was stored however wrong their
 * own clocks are. As long as Redis has never answered it is the clock of this machine.
 */
export class RedisClock {
  /** Milliseconds of Redis at the origin of this process's monotonic clock. */
  private origin?: number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly redis: Redis | Cluster) {
    redis.on('ready', () => void this.look());
    this.timer = setInterval(() => void this.look(), EVERY_MS).unref();
  }

  now(): number {
    return this.origin === undefined
      ? Date.now()
      : Math.round(this.origin + performance.now());
  }

  /** Sets the clock. Without an answer it stays as it is. */
  async look(): Promise<void> {
    // A command would wait for a Redis that is unavailable, and be answered late.
    if (this.redis.status !== 'ready') return;
    try {
      const asked = performance.now();
      const [seconds, micros] = await this.redis.time();
      const middle = (asked + performance.now()) / 2;
      const ms = Number(seconds) * 1_000 + Number(micros) / 1_000;
      this.origin = ms - middle;
    } catch {
      // The next look or the next connection sets it.
    }
  }

  close(): void {
    clearInterval(this.timer);
  }
}
