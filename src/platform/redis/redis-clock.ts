import type { Cluster, Redis } from 'ioredis';

const SYNC_INTERVAL_MS = 30_000;
/** Of a reply that took longer, it is not known when it was sent: this process may have stood still meanwhile. */
const SURE_MS = 1_000;

/**
 * The clock of Redis without a request each time, so that processes agree on timestamps even if their own clocks
 * differ. Until Redis has responded once it is the clock of this machine.
 */
export class RedisClock {
  /** Redis time in milliseconds at the origin of the monotonic clock of this process. */
  private origin?: number;
  /** How long the reply took that the origin is of. */
  private took = Infinity;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly redis: Redis | Cluster) {
    redis.on('ready', () => void this.sync());
    this.timer = setInterval(() => void this.sync(), SYNC_INTERVAL_MS).unref();
  }

  now(): number {
    return this.origin === undefined
      ? Date.now()
      : Math.round(this.origin + performance.now());
  }

  /** Synchronises the clock. Without a response it stays unchanged. */
  async sync(): Promise<void> {
    // A command would wait for an unavailable Redis, and be answered late.
    if (this.redis.status !== 'ready') return;
    try {
      const sentAt = performance.now();
      const [seconds, micros] = await this.redis.time();
      const took = performance.now() - sentAt;
      if (took > SURE_MS && took > this.took) return;
      const ms = Number(seconds) * 1_000 + Number(micros) / 1_000;
      this.origin = ms - sentAt - took / 2;
      this.took = took;
    } catch {
      // The next sync or the next connection sets it.
    }
  }

  close(): void {
    clearInterval(this.timer);
  }
}
