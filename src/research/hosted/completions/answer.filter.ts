const OPEN = '<think>';
const CLOSE = '</think>';

/** Takes out what some models write of their thoughts before the answer: `<think>…</think>` at the very beginning. */
export class AnswerFilter {
  private state: 'begins' | 'thinks' | 'ends' | 'answers' = 'begins';
  private held = '';

  /** Returns what of the text so far is certain to belong to the answer, each piece once. */
  take(text: string): string {
    if (this.state === 'answers') return text;
    this.held += text;
    if (this.state === 'begins') {
      const begun = this.held.trimStart();
      if (
        OPEN.startsWith(begun.slice(0, OPEN.length)) &&
        begun.length < OPEN.length
      )
        return '';
      this.state = begun.startsWith(OPEN) ? 'thinks' : 'answers';
    }
    if (this.state === 'thinks') {
      const end = this.held.indexOf(CLOSE);
      if (end < 0) {
        // Enough to find a closing mark that came in two pieces.
        this.held = this.held.slice(-CLOSE.length);
        return '';
      }
      this.held = this.held.slice(end + CLOSE.length);
      this.state = 'ends';
    }
    if (this.state === 'ends') {
      this.held = this.held.trimStart();
      if (this.held === '') return '';
      this.state = 'answers';
    }
    return this.end();
  }

  /** What is left when nothing more comes. Thoughts that never end are no answer. */
  end(): string {
    const { held } = this;
    this.held = '';
    return this.state === 'thinks' ? '' : held;
  }
}
