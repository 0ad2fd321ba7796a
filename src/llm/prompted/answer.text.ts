import { endOfPlain } from './answer.marks';

/**
 * What a model says besides its calls. Blanks at its end are kept back, and so is what may open a call, until it is clear
 * whether a call follows.
 */
export class AnswerText {
  private plain = '';
  private pending = '';

  add(text: string): void {
    this.pending += text;
  }

  /** What is plain by now, whatever follows, since the last time. */
  settle(): string {
    const end = endOfPlain(this.pending);
    const text = this.pending.slice(0, end);
    this.pending = this.pending.slice(end);
    this.plain += text;
    return text;
  }

  /** What is settled. */
  take(): string {
    const text = this.plain;
    this.plain = '';
    return text;
  }

  /** What is not settled. */
  get kept(): string {
    return this.pending;
  }

  /** Nothing follows but what begins there. */
  end(length = this.pending.length): void {
    this.plain += this.pending.slice(0, length).trimEnd();
    this.pending = '';
  }

  /** Everything that was not taken. */
  drop(): string {
    const text = this.plain + this.pending;
    this.plain = '';
    this.pending = '';
    return text;
  }
}
