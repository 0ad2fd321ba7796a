/** A progress step of a run, as reported by its events. */
export interface Step {
  kind: string;
  detail: string | null;
}

/** Without a terminal, steps of the same kind are printed at most once in this many milliseconds. */
const REPEAT_INTERVAL_MS = 10_000;

/** A status line on a terminal that is redrawn every second. */
export class Live {
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly startedAt = Date.now();
  private shown = false;
  private promptShown = false;
  private ended = false;
  /** Number of steps of each kind. */
  private readonly kinds = new Map<string, number>();
  private step = '';
  private last: { kind: string; at: number } | undefined;

  start(): void {
    if (!process.stderr.isTTY || this.timer || this.ended) return;
    this.timer = setInterval(() => this.draw(), 1000).unref();
  }

  /**
   * Records a step. Returns the line to print if there is no status line, or undefined if the step repeats the last
   * kind.
   */
  progress({ kind, detail }: Step): string | undefined {
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.step = oneLine(detail ?? '');
    if (process.stderr.isTTY && !this.ended) return undefined;
    const at = Date.now();
    if (this.last?.kind === kind && at - this.last.at < REPEAT_INTERVAL_MS)
      return undefined;
    this.last = { kind, at };
    return `[${this.seconds()} s] ${kind}${this.step && `: ${this.step}`}`;
  }

  /** Replaces the status line by a question until it is answered or another line is printed. */
  ask(question: string): void {
    this.stop();
    process.stderr.write(question);
    this.promptShown = true;
  }

  /** The user's line end has already closed the question. */
  answered(): void {
    this.promptShown = false;
    this.start();
  }

  clear(): void {
    if (this.shown) process.stderr.write('\r\x1b[K');
    if (this.promptShown) process.stderr.write('\n');
    this.shown = false;
    this.promptShown = false;
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.clear();
  }

  /** Stops permanently. */
  end(): void {
    this.stop();
    this.ended = true;
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

/** Replaces line ends and other control characters, which a terminal would interpret. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Z}]+/gu, ' ').replace(/^ | $/g, '');
}

/** Truncates to `columns`; characters from U+1100 are counted as two columns. */
function cut(text: string, columns: number): string {
  let width = 0;
  let result = '';
  for (const character of text) {
    width += character.codePointAt(0)! < 0x1100 ? 1 : 2;
    if (width > columns) break;
    result += character;
  }
  return result;
}
