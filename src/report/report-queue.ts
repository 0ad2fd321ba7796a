import { AppError } from '../platform/errors';

const MAX_WAITING = 16;
const MAX_OF_CALLER = 4;
const RETRY_AFTER_SECONDS = 5;

interface Turn {
  caller: string;
  begin: () => void;
}

/** One turn at a time, in the order of the requests. One caller cannot fill the queue. */
export class ReportQueue {
  private isTaken = false;
  private readonly waiting = new Set<Turn>();

  /** @throws AppError `server_busy`, or the reason of the signal. */
  async use<T>(
    caller: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    if (this.isTaken) await this.turn(caller, signal);
    this.isTaken = true;
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  private turn(caller: string, signal: AbortSignal): Promise<void> {
    const own = [...this.waiting].filter((turn) => turn.caller === caller);
    if (this.waiting.size >= MAX_WAITING || own.length >= MAX_OF_CALLER)
      throw new AppError('server_busy', 'Too many reports are being written.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    return new Promise((resolve, reject) => {
      const turn: Turn = {
        caller,
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        this.waiting.delete(turn);
        reject(signal.reason as Error);
      };
      this.waiting.add(turn);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** It stays taken where another turn begins. */
  private release(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.isTaken = false;
      return;
    }
    this.waiting.delete(next);
    next.begin();
  }
}
