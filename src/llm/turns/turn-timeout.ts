import { AppError } from '../../platform/errors';

/** Of a turn that never falls silent. */
const MAX_TURN_MS = 60 * 60_000;
/** How many silences the reply of a turn may take that is not streamed: of a model that works, nothing is heard. */
const WHOLE = 10;

/**
 * The time limit of one model turn, including its repetitions: until its first token, and for every silence after that; ten
 * times as long for a reply that is not streamed. Whatever arrives, a turn ends after an hour.
 */
export class TurnTimeout {
  private readonly controller = new AbortController();
  private readonly lastAt: number;
  private endsAt: number;
  /** When the reply must have come that is awaited as a whole; 0: none is. */
  private wholeAt = 0;
  private timer: NodeJS.Timeout;

  /** Aborts with `upstream_timeout` when the time is up, or with the parent's reason. */
  readonly signal = this.controller.signal;

  /** @param ms in milliseconds, of RELAY_TIMEOUT_SECONDS. */
  constructor(
    private readonly ms: number,
    private readonly parent: AbortSignal,
  ) {
    const now = performance.now();
    this.lastAt = now + Math.max(ms, MAX_TURN_MS);
    this.endsAt = now + ms;
    this.timer = setTimeout(this.check, ms);
    parent.addEventListener('abort', this.follow);
    if (parent.aborted) this.follow();
  }

  /** Of the wait for the first token, or in a silence, in milliseconds: the time in which a turn may be repeated. */
  get leftMs(): number {
    return this.endsAt - performance.now();
  }

  /** Something of the turn has arrived. */
  heard(): void {
    this.endsAt = Math.min(performance.now() + this.ms, this.lastAt);
  }

  /** Waits for a reply that is not streamed. */
  async whole<T>(reply: Promise<T>): Promise<T> {
    const at = performance.now() + this.ms * WHOLE;
    this.wholeAt = Math.min(at, this.lastAt);
    try {
      return await reply;
    } finally {
      this.wholeAt = 0;
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.parent.removeEventListener('abort', this.follow);
  }

  /** One timer per silence, not per token. */
  private readonly check = (): void => {
    const endsAt = Math.max(this.endsAt, this.wholeAt);
    const leftMs = endsAt - performance.now();
    if (leftMs > 0) this.timer = setTimeout(this.check, Math.ceil(leftMs));
    else this.controller.abort(this.error());
  };

  private error(): AppError {
    return new AppError(
      'upstream_timeout',
      `The model endpoint did not answer in time. ${this.limit()}`,
    );
  }

  private limit(): string {
    if (this.endsAt === this.lastAt)
      return `The turn took ${this.lasted(MAX_TURN_MS)}.`;
    return this.wholeAt > 0
      ? `The whole reply did not come for ${this.lasted(this.ms * WHOLE)}: that is ${WHOLE} times RELAY_TIMEOUT_SECONDS.`
      : `Nothing came for ${this.lasted(this.ms)}: RELAY_TIMEOUT_SECONDS limits the wait for the first token, and every silence after it.`;
  }

  private lasted(ms: number): string {
    return `${Math.round(ms / 100) / 10} s`;
  }

  private readonly follow = (): void =>
    this.controller.abort(this.parent.reason);
}
