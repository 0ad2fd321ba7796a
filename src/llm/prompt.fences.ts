const OPEN = /(?<!`)(`{3,})\w*\s*$/;
const CLOSE = /^\s*(`{3,})(?!`)/;
const MAY_CLOSE = /^\s*`*$/;

/** What models that were trained to call tools in their own form put around a call, whatever form they are asked for. */
const MARKS_BEFORE = [
  '<tool_call>',
  '<tool_calls>',
  '<|tool_call|>',
  '<|python_tag|>',
  '[TOOL_CALLS]',
  'functools',
];
const MARKS_AFTER = ['</tool_call>', '</tool_calls>', '<|/tool_call|>'];

/**
 * What a model says beside its calls, without the marks and fences that held nothing but calls. Blanks at its end are
 * kept back, and so is a mark or a fence, until it is clear whether a call stands in it.
 */
export class TextBeside {
  private pending = '';
  /** Where in it a call was taken out. */
  private gap: number | null = null;

  add(text: string): void {
    this.pending += text;
  }

  addCall(): void {
    this.closeGap(true);
    this.gap = this.pending.length;
  }

  /** What can be told by now, whatever follows; at the end, all of it but its last blanks. */
  take(isEnd: boolean): string {
    this.closeGap(isEnd);
    const plain = this.pending.slice(0, this.gap ?? this.pending.length);
    return this.cut(isEnd ? plain.trimEnd().length : endOfPlain(plain));
  }

  /** All that was kept back. */
  drop(): string {
    this.gap = null;
    return this.cut(this.pending.length);
  }

  private cut(length: number): string {
    const text = this.pending.slice(0, length);
    this.pending = this.pending.slice(length);
    if (this.gap !== null) this.gap -= length;
    return text;
  }

  /** @param isKnown what is pending will not grow. */
  private closeGap(isKnown: boolean): void {
    while (this.gap !== null) {
      const before = this.pending.slice(0, this.gap);
      const after = this.pending.slice(this.gap);
      const [start, rest] = [before.trimEnd(), after.trimStart()];
      const mark = MARKS_BEFORE.find((one) => start.endsWith(one));
      const closing = MARKS_AFTER.find((one) => rest.startsWith(one));
      const open = OPEN.exec(before);
      const close = CLOSE.exec(after);
      if (mark) this.join(start.slice(0, -mark.length), after);
      else if (closing) this.join(before, rest.slice(closing.length));
      else if (!isKnown && mayClose(rest, open !== null)) return;
      else if (open && close && open[1] === close[1]) {
        this.join(before.slice(0, open.index), after.slice(close[0].length));
      } else this.gap = null;
    }
  }

  private join(before: string, after: string): void {
    this.pending = before + after;
    this.gap = before.length;
  }
}

function mayClose(text: string, isFenced: boolean): boolean {
  return (
    MARKS_AFTER.some((mark) => mark.startsWith(text)) ||
    (isFenced && MAY_CLOSE.test(text))
  );
}

/** Not the last blanks, nor a fence or a mark that has nothing in it yet. */
function endOfPlain(text: string): number {
  let end = text.length;
  for (;;) {
    end = text.slice(0, end).trimEnd().length;
    const begin = beginOfMark(text, end) ?? beginOfFence(text, end);
    if (begin === null) return end;
    end = begin;
  }
}

/** Of a mark that ends there, or at the very end may go on. */
function beginOfMark(text: string, end: number): number | null {
  for (const mark of MARKS_BEFORE) {
    if (text.endsWith(mark, end)) return end - mark.length;
  }
  if (end < text.length) return null;
  for (const mark of MARKS_BEFORE) {
    for (let length = mark.length - 1; length > 0; length -= 1) {
      if (text.endsWith(mark.slice(0, length))) return end - length;
    }
  }
  return null;
}

function beginOfFence(text: string, end: number): number | null {
  let word = end;
  while (word > 0 && /\w/.test(text[word - 1])) word -= 1;
  let ticks = word;
  while (ticks > 0 && text[ticks - 1] === '`') ticks -= 1;
  const isFence = word - ticks >= 3;
  const mayBecomeOne = ticks < word && word === text.length;
  return isFence || mayBecomeOne ? ticks : null;
}
