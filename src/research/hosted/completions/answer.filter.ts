const OPEN = '<think>';
const CLOSE = '</think>';

/** Removes the thoughts that some models write before the answer: `<think>…</think>` at the very beginning. */
export class AnswerFilter {
  private state: 'start' | 'thought' | 'gap' | 'answer' = 'start';
  private pending = '';

  /** Returns the part of the text so far that certainly belongs to the answer; each part is returned once. */
  take(text: string): string {
    if (this.state === 'answer') return text;
    this.pending += text;
    if (this.state === 'start') {
      const trimmed = this.pending.trimStart();
      if (
        OPEN.startsWith(trimmed.slice(0, OPEN.length)) &&
        trimmed.length < OPEN.length
      )
        return '';
      this.state = trimmed.startsWith(OPEN) ? 'thought' : 'answer';
    }
    if (this.state === 'thought') {
      const end = this.pending.indexOf(CLOSE);
      if (end < 0) {
        // Long enough to find a closing tag that arrives in two pieces.
        this.pending = this.pending.slice(-CLOSE.length);
        return '';
      }
      this.pending = this.pending.slice(end + CLOSE.length);
      this.state = 'gap';
    }
    if (this.state === 'gap') {
      this.pending = this.pending.trimStart();
      if (this.pending === '') return '';
      this.state = 'answer';
    }
    return this.end();
  }

  /** Returns the rest at the end of the text. Thoughts without an end are never part of the answer. */
  end(): string {
    const { pending } = this;
    this.pending = '';
    return this.state === 'thought' ? '' : pending;
  }
}
