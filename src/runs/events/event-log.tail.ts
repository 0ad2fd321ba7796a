import { endsLog, type LogEvent } from '../run';

const KEPT = 256;

/** The recent events of one log, shared by all who follow it in this process, and the bell that wakes them. */
export class EventLogTail {
  followers = 0;
  /** Nothing will be added any more: the last event was seen, or the log was removed. */
  ended = false;
  /** Rings so far, `end` also where it waits for a human; who has missed one since it looked does not wait. */
  readonly rings = { any: 0, end: 0 };
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
    this.ring('any');
    if (endsLog(event)) this.end();
    else if (waits(event)) this.ring('end');
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
      if (waits(last)) this.ring('end');
    }
    if (last && endsLog(last)) this.end();
    return events;
  }

  /** Looks at the log itself, for what pub/sub did not tell. */
  async refresh(): Promise<void> {
    const last = await this.readLast();
    // What pub/sub has yet to tell is in the log alone.
    if (last && last.seq > this.seen) this.events = [];
    // A log that exists has a first event, so one without any was removed.
    if (!last || endsLog(last)) this.end();
    else if (last.seq > this.seen) {
      this.ring('any');
      if (waits(last)) this.ring('end');
    }
  }

  /** Resolves at the next ring of `bell` after the `since`th, or when `signal` aborts. */
  rung(bell: 'any' | 'end', since: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || since !== this.rings[bell]) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.waiters[bell].delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiters[bell].add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  private end(): void {
    this.ended = true;
    this.ringAll();
  }

  private ringAll(): void {
    this.ring('any');
    this.ring('end');
  }

  private ring(bell: 'any' | 'end'): void {
    this.rings[bell] += 1;
    for (const wake of this.waiters[bell]) wake();
  }
}

/** For a human. */
function waits({ status }: LogEvent): boolean {
  return status === 'requires_action';
}
