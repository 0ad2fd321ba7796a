import { isRefused, type Pace, type Rate, type Reservation } from './pace';
import type { PauseFault } from '../search.types';

interface Pause {
  until: number;
  fault: PauseFault;
}

/** The pace of this process alone, for the time in which Redis is unavailable. */
export class LocalPace implements Pace {
  private readonly starts = new Map<string, number[]>();
  private readonly pauses = new Map<string, Pause>();

  constructor(private readonly now: () => number) {}

  reserve(
    key: string,
    rate: Rate | undefined,
    maxWaitMs: number,
  ): Promise<Reservation> {
    const now = this.now();
    const { until, fault } = this.pauses.get(key) ?? {
      until: now,
      fault: 'rate_limited' as const,
    };
    const starts = this.starts.get(key) ?? [];
    const before = rate && starts.at(-rate.requests);
    const free = before === undefined ? now : before + rate!.windowMs;
    const waitMs = Math.max(0, until - now, free - now);
    const why = until > now ? fault : 'rate_limited';
    const granted = !isRefused(why, waitMs, maxWaitMs);
    if (granted && rate)
      this.starts.set(key, [...starts, now + waitMs].slice(-rate.requests));
    return Promise.resolve({ granted, waitMs, fault: why });
  }

  pause(key: string, ms: number, fault: PauseFault): Promise<void> {
    const until = this.now() + ms;
    if (until > (this.pauses.get(key)?.until ?? -Infinity))
      this.pauses.set(key, { until, fault });
    return Promise.resolve();
  }

  paused(key: string): Promise<PauseFault | undefined> {
    const pause = this.pauses.get(key);
    const isOver = pause === undefined || pause.until <= this.now();
    return Promise.resolve(isOver ? undefined : pause.fault);
  }
}
