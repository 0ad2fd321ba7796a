// By hand: thirty lines; a cache library brings sizes, callbacks and timers that nothing here needs.
const LIFETIME_MS = 10 * 60 * 1000;
/** Keys contain model names, which a caller may choose. */
const MAX_KEYS = 1_000;

/**
 * Keys that expire ten minutes after they were added. Held by this process alone, and bounded: the oldest key makes room.
 */
export class ExpiringSet {
  private readonly until = new Map<string, number>();

  has(key: string): boolean {
    return (this.until.get(key) ?? 0) > Date.now();
  }

  add(key: string): void {
    this.until.delete(key);
    this.until.set(key, Date.now() + LIFETIME_MS);
    const [oldest] = this.until.keys();
    if (this.until.size > MAX_KEYS) this.until.delete(oldest);
  }

  delete(key: string): void {
    this.until.delete(key);
  }

  /** The remainders of the keys that start with the prefix. */
  withPrefix(prefix: string): string[] {
    return [...this.until.keys()].flatMap((key) =>
      key.startsWith(prefix) && this.has(key) ? key.slice(prefix.length) : [],
    );
  }
}
