import { AppError } from '../../platform/errors';

/** The time limit of one model turn, including its repetitions. */
export class TurnTimeout {
  private readonly controller = new AbortController();
  private readonly endsAt: number;
  private readonly timer: NodeJS.Timeout;

  /** Aborts with `upstream_timeout` when the time is up, or with the parent's reason. */
  readonly signal = this.controller.signal;

  constructor(
    ms: number,
    private readonly parent: AbortSignal,
  ) {
    this.endsAt = performance.now() + ms;
    this.timer = setTimeout(
      () => this.controller.abort(new AppError('upstream_timeout')),
      ms,
    );
    parent.addEventListener('abort', this.follow);
    if (parent.aborted) this.follow();
  }

  get leftMs(): number {
    return this.endsAt - performance.now();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.parent.removeEventListener('abort', this.follow);
  }

  private readonly follow = (): void =>
    this.controller.abort(this.parent.reason);
}
