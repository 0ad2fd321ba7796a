import {
  SondeConnectionError,
  SondeError,
  SondeTimeoutError,
  SondeUsageError,
} from '../errors.js';

/** Options of every call. */
export interface CallOptions {
  /** Time limit of the whole call, including retries, in milliseconds. */
  timeoutMs?: number;
  /** Aborts the call, which then rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** Time limit of one call. Its signal aborts when the time has elapsed or the caller's signal aborts. */
export class Clock {
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  private readonly callerSignal: AbortSignal | undefined;
  private readonly deadline: number;
  private readonly abortNow = (): void => this.controller.abort();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly timeoutMs: number,
    signal?: AbortSignal,
  ) {
    if (!(timeoutMs > 0))
      throw new SondeUsageError('timeoutMs must be greater than 0');
    signal?.throwIfAborted();
    this.callerSignal = signal;
    this.deadline = Date.now() + timeoutMs;
    signal?.addEventListener('abort', this.abortNow);
    this.start(timeoutMs);
  }

  /** Remaining milliseconds, never negative. */
  get remaining(): number {
    return Math.max(0, this.deadline - Date.now());
  }

  /** Replaces the pending time limit by `ms` from now. */
  restart(ms: number): void {
    this.pause();
    this.start(ms);
  }

  /** Suspends the time limit until `restart`. */
  pause(): void {
    clearTimeout(this.timer);
  }

  /** The error for an elapsed time limit. */
  timeout(): SondeTimeoutError {
    return new SondeTimeoutError(
      `no response within ${this.timeoutMs / 1000} s; work already started may continue`,
    );
  }

  /** Maps an error: to the reason of the caller's signal, a time-out, or a connection error. */
  errorOf(error: unknown): unknown {
    if (this.callerSignal?.aborted) return this.callerSignal.reason;
    if (error instanceof SondeError) return error;
    if (this.signal.aborted) return this.timeout();
    return new SondeConnectionError(`the connection failed${codeOf(error)}`);
  }

  /** Rejects if the time limit elapses or the caller aborts before `ms` have passed. */
  async sleep(ms: number): Promise<void> {
    await sleep(ms, this.signal).catch((error) => {
      throw this.errorOf(error);
    });
  }

  stop(): void {
    this.pause();
    this.callerSignal?.removeEventListener('abort', this.abortNow);
  }

  /** Aborts every request that uses this clock. */
  abort(): void {
    this.stop();
    this.controller.abort();
  }

  private start(ms: number): void {
    // A timer above the maximum delay would fire immediately.
    this.timer = setTimeout(this.abortNow, Math.min(ms, 2 ** 31 - 1));
  }
}

/** Resolves after `ms`, or rejects with the reason of the signal. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', settle);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(settle, ms);
    signal?.addEventListener('abort', settle);
    if (signal?.aborted) settle();
  });
}

/** Only the code is used, because system messages contain the host name. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  const found =
    typeof code === 'string' ? code : (cause as { code?: unknown })?.code;
  return typeof found === 'string' ? ` (${found})` : '';
}
