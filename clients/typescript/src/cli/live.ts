/** A step of a run, as its events have it. */
export interface Step {
  kind: string;
  detail: string | null;
}

/** Where steps are lines of their own, one of the same kind is passed over for so many milliseconds. */
const QUIET_MS = 10_000;

/** On a terminal, one line that says what is waited for, written again and again. */
export class Live {
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly startedAt = Date.now();
  private shown = false;
  private asked = false;
  private over = false;
  /** How many steps there were of each kind. */
  private readonly kinds = new Map<string, number>();
  private step = '';
  private last: { kind: string; at: number } | undefined;

  start(): void {
    if (!process.stderr.isTTY || this.timer || this.over) return;
    this.timer = setInterval(() => this.draw(), 1000).unref();
  }

  /** What an invocation is doing. Returns the line that says so where none is drawn, unless it says nothing new. */
  progress({ kind, detail }: Step): string | undefined {
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.step = oneLine(detail ?? '');
    if (process.stderr.isTTY && !this.over) return undefined;
    const at = Date.now();
    if (this.last?.kind === kind && at - this.last.at < QUIET_MS)
      return undefined;
    this.last = { kind, at };
    return `[${this.seconds()} s] ${kind}${this.step && `: ${this.step}`}`;
  }

  /** A question stands where the line was, until it is answered or something else is said. */
  ask(question: string): void {
    this.stop();
    process.stderr.write(question);
    this.asked = true;
  }

  /** The line that answers was ended by its author. */
  answered(): void {
    this.asked = false;
    this.start();
  }

  clear(): void {
    if (this.shown) process.stderr.write('\r\x1b[K');
    if (this.asked) process.stderr.write('\n');
    this.shown = false;
    this.asked = false;
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.clear();
  }

  /** For good. */
  end(): void {
    this.stop();
    this.over = true;
  }

  private draw(): void {
    const line = cut(this.line(), (process.stderr.columns || 80) - 1);
    process.stderr.write(`\r${line}\x1b[K`);
    this.shown = true;
  }

  private line(): string {
    if (this.kinds.size === 0) return `waiting, ${this.seconds()} s`;
    const kinds = [...this.kinds].map(([kind, count]) => `${kind} ${count}`);
    const step = this.step && `: ${this.step}`;
    return `researching, ${this.seconds()} s, ${kinds.join(', ')}${step}`;
  }

  private seconds(): number {
    return Math.round((Date.now() - this.startedAt) / 1000);
  }
}

/** Without line ends and other control characters, which a terminal would obey. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Z}]+/gu, ' ').replace(/^ | $/g, '');
}

/** What fits into `columns`; a character beyond the first scripts may take two. */
function cut(text: string, columns: number): string {
  let width = 0;
  let fits = '';
  for (const character of text) {
    width += character.codePointAt(0)! < 0x1100 ? 1 : 2;
    if (width > columns) break;
    fits += character;
  }
  return fits;
}
