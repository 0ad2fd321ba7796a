// By hand: a library wraps the call itself; here the caller decides by the kind of a failure whether it counts.
const MAX_FAILURES = 3;
const FIRST_MS = 30_000;
const MAX_MS = 10 * 60_000;

/**
 * Stops calls to a provider after three failures in a row, for 30 s and then twice as long each time, up to ten minutes.
 * After the pause one call at a time is let through; its success closes the circuit. The state is this process's own:
 * timeouts and broken connections are what one process sees of its network, and finding out costs each process three calls.
 */
export class CircuitBreaker {
  private failures = 0;
  private openings = 0;
  private openUntil = -Infinity;
  private probing = false;

  /** @param now milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number) {}

  get isOpen(): boolean {
    return this.now() < this.openUntil || (this.openings > 0 && this.probing);
  }

  /** False while the circuit is open. Otherwise `succeed`, `fail` or `release` has to follow. */
  enter(): boolean {
    if (this.isOpen) return false;
    this.probing = this.openings > 0;
    return true;
  }

  /** @returns whether this closed the circuit. */
  succeed(): boolean {
    const wasOpen = this.openings > 0;
    this.failures = 0;
    this.openings = 0;
    this.probing = false;
    return wasOpen;
  }

  /** @returns for how many milliseconds this opened the circuit; undefined if it did not. */
  fail(): number | undefined {
    // A call that began before the circuit opened tells nothing new.
    if (this.now() < this.openUntil) return undefined;
    this.probing = false;
    this.failures += 1;
    if (this.openings === 0 && this.failures < MAX_FAILURES) return undefined;
    const ms = Math.min(FIRST_MS * 2 ** this.openings, MAX_MS);
    this.openings += 1;
    this.openUntil = this.now() + ms;
    return ms;
  }

  /** The call ended without a word about the provider, e.g. because its caller left. */
  release(): void {
    this.probing = false;
  }
}
