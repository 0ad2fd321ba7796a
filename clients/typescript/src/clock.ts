import {
  SondeConnectionError,
  SondeError,
  SondeTimeoutError,
  SondeUsageError,
} from './errors.js';

/** What every call can be given. */
export interface CallOptions {
  /** Until the answer is there, every try included, in milliseconds. */
  timeoutMs?: number;
  /** Leaves the call; it then rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** The time of one call: its signal aborts when the time is over, and when the caller leaves. */
export class Clock {
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  private readonly caller: AbortSignal | undefined;
  private readonly endsAt: number;
  private readonly leave = (): void => this.controller.abort();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly timeoutMs: number,
    signal?: AbortSignal,
  ) {
    if (!(timeoutMs > 0))
      throw new SondeUsageError('timeoutMs must be greater than 0');
    signal?.throwIfAborted();
    this.caller = signal;
    this.endsAt = Date.now() + timeoutMs;
    signal?.addEventListener('abort', this.leave);
    this.start(timeoutMs);
  }

  /** Milliseconds; never negative. */
  get rest(): number {
    return Math.max(0, this.endsAt - Date.now());
  }

  /** Aborts `ms` from now instead of when it would have. */
  restart(ms: number): void {
    this.hold();
    this.start(ms);
  }

  /** Lets time pass until it is started again. */
  hold(): void {
    clearTimeout(this.timer);
  }

  /** That the time is over. */
  timeout(): SondeTimeoutError {
    return new SondeTimeoutError(
      `no response within ${this.timeoutMs / 1000} s; work already started may continue`,
    );
  }

  /** What an error under this clock is: the caller's own reason, a time-out, or a broken connection. */
  errorOf(error: unknown): unknown {
    if (this.caller?.aborted) return this.caller.reason;
    if (error instanceof SondeError) return error;
    if (this.signal.aborted) return this.timeout();
    return new SondeConnectionError(`the connection failed${codeOf(error)}`);
  }

  /** Rejects when the time is over first, or the caller leaves. */
  async sleep(ms: number): Promise<void> {
    await sleep(ms, this.signal).catch((error) => {
      throw this.errorOf(error);
    });
  }

  stop(): void {
    this.hold();
    this.caller?.removeEventListener('abort', this.leave);
  }

  /** Ends whatever goes on under this clock. */
  abort(): void {
    this.stop();
    this.controller.abort();
  }

  private start(ms: number): void {
    // What is longer than a timer can be would fire at once.
    this.timer = setTimeout(this.leave, Math.min(ms, 2 ** 31 - 1));
  }
}

/** Rejects with the reason of the signal if that comes first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', wake);
    if (signal?.aborted) wake();
  });
}

/** The code alone: the message of the system names the host. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  const said =
    typeof code === 'string' ? code : (cause as { code?: unknown })?.code;
  return typeof said === 'string' ? ` (${said})` : '';
}
