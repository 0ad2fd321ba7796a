import type { PromptedListener } from './answer.parser';
import type { DeltaEmitter } from '../turns/delta.emitter';

/**
 * Tells what a model says when it is asked for its calls again. What it repeats of its first try is not told twice;
 * anything else begins a part of its own.
 */
export class SecondTry implements PromptedListener {
  private readonly before: string;
  private kept = '';
  private repeats = true;

  constructor(private readonly telling: DeltaEmitter) {
    this.before = telling.text;
  }

  say(text: string): void {
    if (!this.repeats) return this.telling.say(text);
    this.kept += text;
    if (this.before.startsWith(this.kept)) return;
    this.repeats = false;
    if (this.kept.startsWith(this.before)) {
      this.telling.say(this.kept.slice(this.before.length));
    } else {
      this.tellKept();
    }
  }

  /** The second try itself is taken again. */
  retake(): void {
    this.kept = '';
    this.repeats = true;
  }

  think(words: string): void {
    this.telling.think(words);
  }

  /** An answer that only begins as the first try did is another one; beside calls it is nothing new. */
  end(isAnswer: boolean): void {
    const isShorter = this.repeats && this.kept !== this.before;
    if (isAnswer && isShorter) this.tellKept();
  }

  private tellKept(): void {
    this.telling.beginTurn();
    this.telling.say(this.kept);
  }
}
