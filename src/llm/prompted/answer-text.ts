import { endOfPlain } from './answer-marks';

/**
 * The text of an answer besides its calls. Trailing white space, and text that may open a call, stay pending until it is
 * clear whether a call follows.
 */
export class AnswerText {
  private plain = '';
  private buffer = '';

  add(text: string): void {
    this.buffer += text;
  }

  /** Moves the text that is plain, whatever follows, out of the pending text, and returns it. */
  settle(): string {
    const end = endOfPlain(this.buffer);
    const text = this.buffer.slice(0, end);
    this.buffer = this.buffer.slice(end);
    this.plain += text;
    return text;
  }

  /** Returns and clears the settled text. */
  take(): string {
    const text = this.plain;
    this.plain = '';
    return text;
  }

  /** The text that is not settled. */
  get pending(): string {
    return this.buffer;
  }

  /** Settles the pending text up to `length`; the rest belongs to a call. */
  end(length = this.buffer.length): void {
    this.plain += this.buffer.slice(0, length).trimEnd();
    this.buffer = '';
  }

  /** Returns and clears all text that was not taken. */
  drop(): string {
    const text = this.plain + this.buffer;
    this.plain = '';
    this.buffer = '';
    return text;
  }
}
