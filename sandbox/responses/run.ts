import type {
  Response,
  ResponseCreateParams,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import type { EventDraft } from './item-events';
import type { Step } from './script';

/** On the wire `usage` is null until the end and `output_text` does not exist; the type of the SDK differs. */
export type WireResponse = Omit<Response, 'usage' | 'output_text' | 'error'> & {
  usage: ResponseUsage | null;
  error: { code: string; message: string } | null;
};

const FINAL = new Set(['completed', 'failed', 'cancelled', 'incomplete']);

/** The lifecycle of a response: it plays its script by the clock, with or without a client. */
export class Run {
  readonly createdAt = Date.now();
  /** All events, in order; the index is the sequence number. Empty unless created with `stream: true`. */
  readonly log: ResponseStreamEvent[] = [];
  readonly finished: Promise<void>;
  private settle: () => void = () => {};
  private readonly watchers = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;
  private next = 0;
  private partial: ResponseOutputItem | null = null;
  private partialText = '';

  constructor(
    readonly params: ResponseCreateParams,
    readonly ownItems: ResponseInputItem[],
    public response: WireResponse,
    private steps: Step[],
    private pauseAt = Infinity,
  ) {
    this.finished = new Promise((resolve) => (this.settle = resolve));
  }

  get id(): string {
    return this.response.id;
  }

  get streamed(): boolean {
    return this.params.stream === true;
  }

  get done(): boolean {
    return FINAL.has(this.response.status ?? '');
  }

  start(): void {
    this.startedAt = performance.now();
    this.advance();
  }

  /** Ends its pause; what is left takes as long as it would have. */
  resume(): void {
    const paused = performance.now() - this.startedAt - this.pauseAt;
    this.pauseAt = Infinity;
    if (this.done || this.startedAt === 0) return;
    this.startedAt += Math.max(0, paused);
    clearTimeout(this.timer);
    this.advance();
  }

  /** Calls `watcher` after every advance, until the returned function is called. */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  cancel(): void {
    if (this.done) return;
    const output = this.partial
      ? [...this.response.output, this.withText(this.partial)]
      : this.response.output;
    this.response = {
      ...this.response,
      status: 'cancelled',
      output,
      usage: null,
    };
    this.end();
  }

  private advance(): void {
    const elapsed = Math.min(performance.now() - this.startedAt, this.pauseAt);
    while (this.next < this.steps.length && this.steps[this.next].at <= elapsed)
      this.play(this.steps[this.next++]);
    if (this.done) return this.end();
    this.notify();
    const due = this.nextDue();
    if (due !== undefined && due <= this.pauseAt)
      this.timer = setTimeout(() => this.advance(), Math.max(1, due - elapsed));
  }

  /** A run without a stream only wakes for changes that a poll shows: thousands of them cost a few timers each. */
  private nextDue(): number | undefined {
    if (this.streamed) return this.steps[this.next]?.at;
    return this.steps
      .slice(this.next)
      .find(
        (step) =>
          step.kind === 'lifecycle' ||
          (step.kind === 'event' &&
            step.event.type === 'response.output_item.done'),
      )?.at;
  }

  private play(step: Step): void {
    switch (step.kind) {
      case 'event':
        this.apply(step.event);
        return this.record(step.event);
      case 'error': {
        const { code, message } = step.error;
        return this.record(
          (step.nested
            ? {
                type: 'error',
                error: { type: code, code, message, param: null },
              }
            : { type: 'error', code, message, param: null }) as EventDraft,
        );
      }
      case 'lifecycle': {
        this.response = {
          ...this.response,
          ...step.patch,
          ...(step.patch.status === 'completed' && {
            completed_at: Math.floor(Date.now() / 1000),
          }),
        };
        return this.record({
          type: step.type,
          response: this.response as unknown as Response,
        });
      }
    }
  }

  private apply(event: EventDraft): void {
    if (event.type === 'response.output_item.done') {
      // A new object each time: the snapshots in the log must not change with it.
      const output = [...this.response.output, event.item];
      this.response = { ...this.response, output };
      this.partial = null;
    } else if (
      event.type === 'response.output_item.added' &&
      event.item.type === 'message'
    ) {
      this.partial = event.item;
    } else if (event.type === 'response.output_text.delta') {
      this.partialText += event.delta;
    }
  }

  private withText(item: ResponseOutputItem): ResponseOutputItem {
    if (item.type !== 'message' || this.partialText === '') return item;
    return {
      ...item,
      content: [
        { type: 'output_text', text: this.partialText, annotations: [] },
      ],
    };
  }

  private record(draft: EventDraft): void {
    if (this.streamed)
      this.log.push({ ...draft, sequence_number: this.log.length });
  }

  private end(): void {
    clearTimeout(this.timer);
    this.steps = [];
    this.notify();
    this.watchers.clear();
    this.settle();
  }

  private notify(): void {
    for (const watcher of this.watchers) watcher();
  }
}
