import type { PauseFault } from '../search.types';

/** At most so many requests in any window of this length. */
export interface Rate {
  readonly requests: number;
  readonly windowMs: number;
}

/** A reserved start in `waitMs`, or the reason why there is none within the time that the caller can wait. */
export interface Reservation {
  granted: boolean;
  waitMs: number;
  fault: PauseFault;
}

/** When requests to a provider may start: within its rate, and not during a pause that it imposed. */
export interface Pace {
  reserve(
    key: string,
    rate: Rate | undefined,
    maxWaitMs: number,
  ): Promise<Reservation>;
  /** No request starts within `ms`. A longer pause that is under way stays. */
  pause(key: string, ms: number, fault: PauseFault): Promise<void>;
  /** The pause that is under way. */
  paused(key: string): Promise<PauseFault | undefined>;
}

/** Only a rate limit is worth waiting for: a wrong key stays wrong, however little is left of its pause. */
export function isRefused(
  fault: PauseFault,
  waitMs: number,
  maxWaitMs: number,
): boolean {
  return waitMs > maxWaitMs || (waitMs > 0 && fault !== 'rate_limited');
}
