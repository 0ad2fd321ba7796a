import type { Claim } from '../store/run.store';
import type { TimerWheel } from './timer-wheel';

/** Why a worker stops following a run before its end. */
export type StopReason = 'cancel' | 'lost' | 'shutdown' | 'deadline';

/** A fresh run counts as attended: most callers begin to read or to wait right after the submission. */
const ATTENDED_AT_FIRST_MS = 10_000;

/** A run that this process holds: when it is to stop, whether it has a reader, and rests that a signal ends early. */
export class ActiveRun {
  readonly id: string;
  readonly fence: string;
  private readonly stopping = new AbortController();
  private readonly clock: NodeJS.Timeout;
  private readonly begunAt: number;
  private readonly endsAt: number;
  private readonly always: boolean;
  private attendedUntil: number;
  private wake?: (rested: 'news') => void;
  private missed = false;
  /** As its record counts them, at the last renewal of its lease. */
  crashes: number;

  constructor(
    { id, fence, fields, remainingMs, ageMs, followedMs, crashes }: Claim,
    private readonly polls: TimerWheel,
    /** The process has no room for unattended runs. */
    crowded = false,
  ) {
    this.id = id;
    this.fence = fence;
    this.crashes = crashes;
    this.begunAt = performance.now() - ageMs;
    this.endsAt = performance.now() + remainingMs;
    // A caller that asks for a stream reads it, and an upstream does not resume an old one.
    this.always = fields.mode === 'stream';
    const forMs = crowded ? 0 : ATTENDED_AT_FIRST_MS;
    this.attendedUntil = performance.now() + Math.max(followedMs, forMs);
    this.clock = setTimeout(
      () => this.stop('deadline'),
      Math.max(0, remainingMs),
    );
    if (fields.cancel === '1') this.stop('cancel');
  }

  /** Aborts with a StopReason. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** A caller reads its events or waits for its end. */
  get attended(): boolean {
    return this.always || performance.now() < this.attendedUntil;
  }

  get ageMs(): number {
    return performance.now() - this.begunAt;
  }

  /** Until its time limit. */
  get leftMs(): number {
    return this.endsAt - performance.now();
  }

  attend(forMs: number): void {
    this.attendedUntil = Math.max(
      this.attendedUntil,
      performance.now() + forMs,
    );
  }

  stop(reason: StopReason): void {
    this.stopping.abort(reason);
    this.nudge();
  }

  /** Ends the current rest, or else the next one. */
  nudge(): void {
    if (this.wake) this.wake('news');
    else this.missed = true;
  }

  /** Waits about `ms`; ends early with `news` after a nudge, or with the value of `promise`. One at a time. */
  async rest<T = never>(
    ms: number,
    promise?: Promise<T>,
  ): Promise<T | 'news' | 'over'> {
    if (this.missed) {
      this.missed = false;
      return 'news';
    }
    let callOff!: () => void;
    const rest = new Promise<'news' | 'over'>((resolve) => {
      this.wake = resolve;
      callOff = this.polls.in(ms, () => resolve('over'));
    });
    try {
      return await (promise ? Promise.race([promise, rest]) : rest);
    } finally {
      this.wake = undefined;
      callOff();
    }
  }

  free(): void {
    clearTimeout(this.clock);
  }
}
