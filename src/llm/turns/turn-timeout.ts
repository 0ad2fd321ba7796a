import { AppError } from '../../platform/errors';

/** Of a turn that never falls silent. */
const MAX_TURN_MS = 60 * 60_000;

/**
 * The time limit of one model turn, including its repetitions: until its first token, and for every silence after that. A
 * reply that is not streamed is one token. Whatever arrives, a turn ends after an hour.
 */
export class TurnTimeout {
  private readonly controller = new AbortController();
  private readonly lastAt: number;
  private endsAt: number;
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

  get leftMs(): number {
    return this.endsAt - performance.now();
  }

  /** Something of the turn has arrived. */
  heard(): void {
    this.endsAt = Math.min(performance.now() + this.ms, this.lastAt);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.parent.removeEventListener('abort', this.follow);
  }

  /** One timer per silence, not per token. */
  private readonly check = (): void => {
    const { leftMs } = this;
    if (leftMs > 0) this.timer = setTimeout(this.check, Math.ceil(leftMs));
    else this.controller.abort(this.error());
  };

  private error(): AppError {
    const isWhole = this.endsAt === this.lastAt;
    const limit = isWhole
      ? `The turn took ${this.lasted(MAX_TURN_MS)}.`
      : `Nothing came for ${this.lasted(this.ms)}: RELAY_TIMEOUT_SECONDS limits the wait for the first token, and every silence after it.`;
    return new AppError(
      'upstream_timeout',
      `The model endpoint did not answer in time. ${limit}`,
    );
  }

  private lasted(ms: number): string {
    return `${Math.round(ms / 100) / 10} s`;
  }

  private readonly follow = (): void =>
    this.controller.abort(this.parent.reason);
}
