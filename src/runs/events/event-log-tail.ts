import { endsLog, type LogEvent } from '../record/run-event';

const KEPT = 256;

/** The recent events of one log, shared by all its subscribers in this process, and what wakes them. */
export class EventLogTail {
  followers = 0;
  /** Nothing will be added any more: the last event was seen, or the log was removed. */
  ended = false;
  /** Notifications so far; `end` counts waits for a person too. A reader that has missed one since its last read does not wait. */
  readonly notifications = { any: 0, end: 0 };
  private events: LogEvent[] = [];
  private seen = 0;
  private readonly waiters = {
    any: new Set<() => void>(),
    end: new Set<() => void>(),
  };

  constructor(
    readonly id: string,
    private readonly readAfter: (seq: number) => Promise<LogEvent[]>,
    private readonly readLast: () => Promise<LogEvent | undefined>,
  ) {}

  push(event: LogEvent): void {
    if (event.seq <= this.seen) return;
    // After a hole, only what follows it is complete.
    if (event.seq !== this.seen + 1) this.events = [];
    this.seen = event.seq;
    this.events.push(event);
    if (this.events.length > KEPT) this.events.shift();
    this.notify('any');
    if (endsLog(event)) this.end();
    else if (waits(event)) this.notify('end');
  }

  /** The events after `cursor`, from here if they are all here, else from the log. */
  async after(cursor: number): Promise<LogEvent[]> {
    const first = this.events[0];
    if (first && cursor >= first.seq - 1)
      return this.events.slice(cursor - first.seq + 1);
    const events = await this.readAfter(cursor);
    const last = events.at(-1);
    if (last && last.seq > this.seen) {
      this.seen = last.seq;
      this.events = [];
      if (waits(last)) this.notify('end');
    }
    if (last && endsLog(last)) this.end();
    return events;
  }

  /** Reads the log itself, for events that pub/sub did not deliver. */
  async refresh(): Promise<void> {
    const last = await this.readLast();
    // Events that pub/sub has yet to deliver are in the log alone.
    if (last && last.seq > this.seen) this.events = [];
    // A log that exists has a first event, so one without any was removed.
    if (!last || endsLog(last)) this.end();
    else if (last.seq > this.seen) {
      this.notify('any');
      if (waits(last)) this.notify('end');
    }
  }

  /** Resolves at the next notification of `kind` after the `since`th, or when `signal` aborts. */
  notified(
    kind: 'any' | 'end',
    since: number,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted || since !== this.notifications[kind])
      return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.waiters[kind].delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiters[kind].add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  private end(): void {
    this.ended = true;
    this.ringAll();
  }

  private ringAll(): void {
    this.notify('any');
    this.notify('end');
  }

  private notify(kind: 'any' | 'end'): void {
    this.notifications[kind] += 1;
    for (const wake of this.waiters[kind]) wake();
  }
}

/** For a person. */
function waits({ status }: LogEvent): boolean {
  return status === 'requires_action';
}
