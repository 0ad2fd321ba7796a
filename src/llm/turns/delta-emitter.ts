import type { MessageDelta } from '../../platform/message/delta';
import type { Image, ImagePart } from '../../platform/message/message';
import { UpstreamError } from '../upstream/upstream-error';

/**
 * Sends the deltas of one answer and keeps track of what was sent. The text of each turn is one part and each image
 * another, with rising indexes, so the deltas add up to one message in which turns are never merged. Nothing is sent twice
 * or retracted.
 */
export class DeltaEmitter {
  /** The index of the next part, and of the text of this turn once it has started. */
  private next = 0;
  private index?: number;
  private sentText = '';
  /** Images of this turn that were sent. */
  private sentImages = 0;
  /** Characters of the thinking of this turn that were sent. */
  private sentThinking = 0;
  /** Whether this turn, and the answer so far, contain thinking. */
  private turnHasThinking = false;
  private hasThinking = false;
  private started = false;
  private toolsCalled = false;
  /** The number of deltas sent, and the parent's number when this turn began. */
  private sent = 0;
  private parentSent = 0;
  private firstOfTurn = 0;

  /**
   * @param onDelta receives the deltas. Without it nothing is sent, and no stream is requested.
   * @param parent the emitter of the answer that this one is a part of.
   * @param onRestart called when the deltas of this turn so far are void for the parent.
   */
  constructor(
    private readonly onDelta?: (delta: MessageDelta) => void,
    private readonly parent?: DeltaEmitter,
    private readonly onRestart?: () => void,
  ) {}

  get streams(): boolean {
    return this.onDelta !== undefined;
  }

  /** A delta was sent or a tool called: the answer cannot start again. */
  get begun(): boolean {
    return this.started || this.toolsCalled || this.parent?.begun === true;
  }

  /** A tool was called. */
  get called(): boolean {
    return this.toolsCalled;
  }

  /** The text of this turn so far. */
  get text(): string {
    return this.sentText;
  }

  /** Characters of text and thinking of this turn so far. */
  get length(): number {
    return this.sentText.length + this.sentThinking;
  }

  /** Nothing of this turn was sent to the caller yet. */
  get unsent(): boolean {
    const parentSilent = this.parent?.sent === this.parentSent;
    return (
      parentSilent ||
      (this.sentText === '' && !this.turnHasThinking && this.sentImages === 0)
    );
  }

  beginTurn(): void {
    this.index = undefined;
    this.sentText = '';
    this.sentImages = 0;
    this.sentThinking = 0;
    this.turnHasThinking = false;
    this.firstOfTurn = this.next;
    this.parentSent = this.parent?.sent ?? 0;
  }

  /** Discards this turn because an earlier attempt at it failed. Only while it is `unsent`. */
  restartTurn(): void {
    if (this.sentText === '' && this.sentImages === 0) return;
    this.next = this.firstOfTurn;
    this.beginTurn();
    this.onRestart?.();
  }

  beginCalls(): void {
    this.toolsCalled = true;
    this.parent?.beginCalls();
  }

  /** Sends the texts, images and thinking of a delta. Calls are left out: the caller that runs them has them. */
  emit({ contents = [], thinking }: MessageDelta): void {
    if (thinking) this.emitThinking(thinking);
    for (const { text, image } of contents) {
      if (text) this.emitText(text);
      if (image) this.emitImage(image);
    }
  }

  emitText(text: string): void {
    if (!this.onDelta || text === '') return;
    this.sentText += text;
    this.index ??= this.next++;
    this.send({ contents: [{ index: this.index, type: 'text', text }] });
  }

  emitImage(image: Image): void {
    if (!this.onDelta) return;
    this.sentImages += 1;
    this.send({ contents: [{ index: this.next++, type: 'image', image }] });
  }

  emitThinking(text: string): void {
    if (!this.onDelta || text === '') return;
    const thinking =
      this.hasThinking && !this.turnHasThinking ? `\n\n${text}` : text;
    this.turnHasThinking = true;
    this.hasThinking = true;
    this.sentThinking += text.length;
    this.send({ thinking });
  }

  /**
   * Sends what is missing of the turn, which is all of it if nothing was streamed.
   * @returns the text of the turn as it was sent.
   * @throws UpstreamError if the sent text is not a part of it, e.g. because an event was lost.
   */
  complete(
    text: string,
    thinking = '',
    images: readonly ImagePart[] = [],
  ): string {
    if (!this.streams) return text;
    if (!this.turnHasThinking) this.emitThinking(thinking);
    for (const { image } of images.slice(this.sentImages))
      this.emitImage(image);
    if (text.startsWith(this.sentText)) {
      this.emitText(text.slice(this.sentText.length));
      return text;
    }
    if (text.trim() === '') return text;
    // An endpoint may trim the text afterwards, divide it otherwise, or report only then that part of it was commentary.
    if (unspaced(this.sentText).endsWith(unspaced(text))) return this.sentText;
    throw new UpstreamError('upstream_error', 'unknown');
  }

  private send(delta: MessageDelta): void {
    const first = this.started ? {} : { role: 'assistant' as const };
    this.started = true;
    this.sent += 1;
    this.onDelta?.({ ...first, ...delta });
  }
}

function unspaced(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
