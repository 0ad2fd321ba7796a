/** On a terminal, one line that says what is waited for, written again and again. */
export class Live {
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly startedAt = Date.now();
  private shown = false;
  private asked = false;
  private over = false;
  private searches: number | undefined;
  private step = '';

  start(): void {
    if (!process.stderr.isTTY || this.timer || this.over) return;
    this.timer = setInterval(() => this.draw(), 1000).unref();
  }

  /** Something that an invocation is doing. */
  progress({ kind, detail }: { kind: string; detail: string | null }): void {
    this.searches = (this.searches ?? 0) + (kind === 'web_search' ? 1 : 0);
    this.step = (detail ?? '').replace(/\s+/g, ' ');
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
    const seconds = Math.round((Date.now() - this.startedAt) / 1000);
    if (this.searches === undefined) return `waiting, ${seconds} s`;
    const searches = `${this.searches} ${this.searches === 1 ? 'search' : 'searches'}`;
    const step = this.step && `: ${this.step}`;
    return `researching, ${seconds} s, ${searches}${step}`;
  }
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
