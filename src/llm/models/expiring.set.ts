const REMEMBERED_MS = 10 * 60 * 1000;
/** Keys are made of names of models, which a caller may choose. */
const MOST = 1_000;

/** What was learnt of an endpoint and need not be tried again for ten minutes. Of this process alone. */
export class ExpiringSet {
  private readonly until = new Map<string, number>();

  has(key: string): boolean {
    return (this.until.get(key) ?? 0) > Date.now();
  }

  add(key: string): void {
    this.until.delete(key);
    this.until.set(key, Date.now() + REMEMBERED_MS);
    const [oldest] = this.until.keys();
    if (this.until.size > MOST) this.until.delete(oldest);
  }

  delete(key: string): void {
    this.until.delete(key);
  }

  /** The keys that begin so, without that beginning. */
  withPrefix(beginning: string): string[] {
    return [...this.until.keys()].flatMap((key) =>
      key.startsWith(beginning) && this.has(key)
        ? key.slice(beginning.length)
        : [],
    );
  }
}
