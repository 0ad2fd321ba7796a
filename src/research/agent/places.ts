/** The shortest time after which a waiting run asks again. */
const RETRY_FIRST_MS = 1_000;
/** Between two runs that ask again: however many wait, they do not ask more often than that. */
const RETRY_EACH_MS = 20;
const RETRY_MOST_MS = 60_000;
/** For so long a place is reserved for a run that is admitted and does not begin. */
const RESERVED_MS = 10_000;

/** How many runs this process carries at a time. */
export class Places {
  /** Those that ask whether it is their turn. */
  private readonly asking = new Set<string>();
  /** Admitted run -> when its place is free again unless it has begun. */
  private readonly taken = new Map<string, number>();
  private nextAt = 0;

  constructor(private readonly limit: number) {}

  /** Places of runs that only ask count as free: whose turn it is gets them. */
  get room(): number {
    const now = performance.now();
    for (const [id, until] of this.taken)
      if (until <= now) this.taken.delete(id);
    return this.limit - this.taken.size;
  }

  /** False: no place is left. */
  ask(id: string): boolean {
    if (this.taken.has(id)) return true;
    if (this.room - this.asking.size <= 0) return false;
    this.asking.add(id);
    return true;
  }

  /** It is the turn of a run that asked. */
  reserve(id: string): void {
    this.asking.delete(id);
    if (!this.taken.has(id))
      this.taken.set(id, performance.now() + RESERVED_MS);
  }

  /** The run begins. False: no place is left. */
  take(id: string): boolean {
    if (!this.taken.has(id) && this.room <= 0) return false;
    this.taken.set(id, Infinity);
    return true;
  }

  /** The run has asked, and does not begin. */
  decline(id: string): void {
    this.asking.delete(id);
  }

  free(id: string): void {
    this.taken.delete(id);
  }

  /** When a run that found no place asks again. */
  retryMs(): number {
    const now = performance.now();
    this.nextAt = Math.min(
      Math.max(now + RETRY_FIRST_MS, this.nextAt + RETRY_EACH_MS),
      now + RETRY_MOST_MS,
    );
    return this.nextAt - now;
  }
}
