import type { MessageDelta } from '../../message/delta';
import type { Image, ImagePart } from '../../message/message';
import { UpstreamError } from '../upstream/upstream.error';

/**
 * What a run has told its caller so far. The text of each turn is one part, each image another, and what begins later has
 * a higher index, so that what is told adds up to one message in which no turn is merged into another. Nothing is told
 * twice, or taken back.
 */
export class DeltaEmitter {
  /** Of the next part that begins, and of the text of this turn once it has begun. */
  private next = 0;
  private index?: number;
  private said = '';
  /** Images of this turn. */
  private shown = 0;
  /** Of this turn, and of the run. */
  private thinks = false;
  private thought = false;
  private told = false;
  private called = false;
  /** Deltas of the run, and those of its parent when this turn began. */
  private passed = 0;
  private passedBefore = 0;
  private firstOfTurn = 0;

  /**
   * @param tell without it nothing is told, and none is asked to stream.
   * @param parent the run that this one is a part of.
   * @param onRetake what this turn passed to the parent's reader so far is void.
   */
  constructor(
    private readonly tell?: (delta: MessageDelta) => void,
    private readonly parent?: DeltaEmitter,
    private readonly onRetake?: () => void,
  ) {}

  get streams(): boolean {
    return this.tell !== undefined;
  }

  /** Something was told, or a tool was called: the run cannot be begun anew. */
  get begun(): boolean {
    return this.told || this.called || this.parent?.begun === true;
  }

  /** The text of this turn. */
  get text(): string {
    return this.said;
  }

  /** Nothing of this turn reached the caller yet. */
  get quiet(): boolean {
    const heldBack = this.parent?.passed === this.passedBefore;
    return heldBack || (this.said === '' && !this.thinks && this.shown === 0);
  }

  beginTurn(): void {
    this.index = undefined;
    this.said = '';
    this.shown = 0;
    this.thinks = false;
    this.firstOfTurn = this.next;
    this.passedBefore = this.parent?.passed ?? 0;
  }

  /** What came of this turn so far is void: an earlier attempt at it broke off. Only while it is quiet. */
  retakeTurn(): void {
    if (this.said === '' && this.shown === 0) return;
    this.next = this.firstOfTurn;
    this.beginTurn();
    this.onRetake?.();
  }

  beginCalls(): void {
    this.called = true;
    this.parent?.beginCalls();
  }

  /** Calls are not told: who makes them knows them. */
  take({ contents = [], thinking }: MessageDelta): void {
    if (thinking) this.think(thinking);
    for (const { text, image } of contents) {
      if (text) this.say(text);
      if (image) this.show(image);
    }
  }

  say(text: string): void {
    if (!this.tell || text === '') return;
    this.said += text;
    this.index ??= this.next++;
    this.pass({ contents: [{ index: this.index, type: 'text', text }] });
  }

  show(image: Image): void {
    if (!this.tell) return;
    this.shown += 1;
    this.pass({ contents: [{ index: this.next++, type: 'image', image }] });
  }

  think(words: string): void {
    if (!this.tell || words === '') return;
    const thinking = this.thought && !this.thinks ? `\n\n${words}` : words;
    this.thinks = true;
    this.thought = true;
    this.pass({ thinking });
  }

  /**
   * Tells what is left of the turn, which is all of it where nothing was streamed.
   * @returns the text of the turn: as it was told, if anything was.
   * @throws UpstreamError if what was told is no part of it, e.g. because a piece was lost.
   */
  complete(
    text: string,
    thinking = '',
    images: readonly ImagePart[] = [],
  ): string {
    if (!this.streams) return text;
    if (!this.thinks) this.think(thinking);
    for (const { image } of images.slice(this.shown)) this.show(image);
    if (text.startsWith(this.said)) {
      this.say(text.slice(this.said.length));
      return text;
    }
    if (text.trim() === '') return text;
    // An endpoint may trim the text afterwards, or find only then that some of it was an aside.
    if (this.said.trim().endsWith(text.trim())) return this.said;
    throw new UpstreamError('upstream_error', 'unknown');
  }

  private pass(delta: MessageDelta): void {
    const first = this.told ? {} : { role: 'assistant' as const };
    this.told = true;
    this.passed += 1;
    this.tell?.({ ...first, ...delta });
  }
}
