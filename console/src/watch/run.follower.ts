import { signal } from '@preact/signals';
import { api, read, type Invocation, type Schemas } from '../api/client';
import { EventStream, type Frame } from '../api/event.stream';
import { ApiError } from '../api/problem';

/** Between two reads of the record while events come. */
const PACE_MS = 1_500;
/** Of a run that reports much; the record counts all of them. */
const MAX_ACTIVITIES = 2_000;
/** Between two reads of the record while no events come: of a hidden tab, whose stream is closed, or a run that waits. */
const SILENT_MS = 15_000;
const FINAL = ['completed', 'incomplete', 'failed', 'cancelled'];

export type Activity = Schemas['InvocationProgressEvent']['data'];

export function isFinal(status: string): boolean {
  return FINAL.includes(status);
}

/** One run as it goes on: its events, and its record, which they make worth reading again. */
export class RunFollower {
  readonly record = signal<Invocation>();
  readonly activities = signal<readonly Activity[]>([]);
  readonly text = signal('');
  readonly error = signal<unknown>();
  private readonly stream: EventStream;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly silence: ReturnType<typeof setInterval>;
  private readAt = 0;
  private isClosed = false;

  constructor(private readonly id: string) {
    this.stream = new EventStream(
      `api/v1/tool-invocations/${encodeURIComponent(id)}/events`,
      (frame) => this.apply(frame),
      (error) => {
        this.error.value = error;
      },
    );
    this.silence = setInterval(() => {
      const record = this.record.value;
      if (!record || isFinal(record.status)) return;
      if (document.hidden || record.waiting_for !== null) void this.refresh();
    }, SILENT_MS);
    void this.refresh();
  }

  get connection() {
    return this.stream.connection;
  }

  close(): void {
    this.isClosed = true;
    this.stream.close();
    clearTimeout(this.timer);
    clearInterval(this.silence);
  }

  /** Now, e.g. after a decision of the user. */
  async refresh(): Promise<void> {
    this.readAt = Date.now();
    const path = { params: { path: { id: this.id } } };
    try {
      const record = await read(api.GET('/api/v1/tool-invocations/{id}', path));
      if (this.isClosed) return;
      this.record.value = record;
      this.error.value = undefined;
    } catch (error) {
      if (this.isClosed) return;
      // The stream connects again by itself; what cannot be read now is read after its next frame.
      if (!this.record.value || isRefusal(error)) this.error.value = error;
    }
  }

  private apply({ type, json }: Frame): void {
    if (type === 'gap') {
      this.activities.value = [];
      this.text.value = '';
      return;
    }
    const event = json as Schemas['InvocationEvent'];
    if (event.type === 'progress')
      this.activities.value = [...this.activities.value, event.data].slice(
        -MAX_ACTIVITIES,
      );
    if (event.type === 'output_text') this.text.value += event.data.text;
    this.soon();
  }

  /** However many frames come at once. */
  private soon(): void {
    if (this.timer !== undefined) return;
    const wait = Math.max(0, this.readAt + PACE_MS - Date.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.refresh();
    }, wait);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}
