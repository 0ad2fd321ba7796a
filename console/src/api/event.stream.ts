import { signal, type ReadonlySignal } from '@preact/signals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { request } from './client';
import { ApiError } from './problem';

/** A comment comes every 15 seconds. */
const SILENCE_MS = 45_000;
const PAUSE_MS = { least: 500, most: 15_000 };

/** `paused`: the tab is hidden; a browser has six connections for all its tabs. */
export type Connection = 'open' | 'paused' | 'reconnecting' | 'ended';

export interface Frame {
  type: string;
  /** The JSON of its data line. */
  json: unknown;
}

/**
 * Follows the events of one record to its last: after a cut, an outage or a hidden tab it goes on behind the last frame
 * that it received. The key is a header, so that no URL holds a secret.
 */
export class EventStream {
  private readonly state = signal<Connection>('reconnecting');
  readonly connection: ReadonlySignal<Connection> = this.state;
  private readonly controller = new AbortController();
  private cursor: string | undefined;
  private failures = 0;

  /**
   * @param onFrame is called with every frame once, in order. After `gap` they come again from the first.
   * @param onError a refusal that no repeat can help.
   */
  constructor(
    private readonly path: string,
    private readonly onFrame: (frame: Frame) => void,
    private readonly onError: (error: ApiError) => void,
  ) {
    void this.run();
  }

  close(): void {
    this.controller.abort();
  }

  private async run(): Promise<void> {
    const { signal: closed } = this.controller;
    while (!closed.aborted) {
      await this.visible();
      let retryAfter = 0;
      try {
        if (await this.follow()) break;
        this.failures += 1;
      } catch (error) {
        if (closed.aborted) return;
        if (isFinal(error)) {
          this.state.value = 'ended';
          return this.onError(error);
        }
        this.failures += 1;
        if (error instanceof ApiError) retryAfter = error.retryAfter ?? 0;
      }
      if (document.visibilityState === 'visible') {
        this.state.value = 'reconnecting';
        await this.pause(retryAfter * 1_000);
      }
    }
    this.state.value = 'ended';
  }

  /** True at the end of the stream; false where it was cut. */
  private async follow(): Promise<boolean> {
    const attempt = new AbortController();
    const stop = (): void => attempt.abort();
    const stopHidden = (): void => {
      if (document.visibilityState === 'hidden') attempt.abort();
    };
    this.controller.signal.addEventListener('abort', stop);
    document.addEventListener('visibilitychange', stopHidden);
    let silence = setTimeout(stop, SILENCE_MS);
    try {
      const reply = await request(this.path, {
        signal: attempt.signal,
        headers: {
          accept: 'text/event-stream',
          ...(this.cursor !== undefined && { 'last-event-id': this.cursor }),
        },
      });
      if (reply.status === 204) return true;
      this.state.value = 'open';
      const alive = new TransformStream<string, string>({
        transform: (chunk, sink) => {
          clearTimeout(silence);
          silence = setTimeout(stop, SILENCE_MS);
          sink.enqueue(chunk);
        },
      });
      const events = reply
        .body!.pipeThrough(new TextDecoderStream())
        .pipeThrough(alive)
        .pipeThrough(new EventSourceParserStream())
        .getReader();
      for (;;) {
        const { done, value } = await events.read();
        if (done) return false;
        this.failures = 0;
        const type = value.event ?? 'message';
        this.onFrame({ type, json: JSON.parse(value.data) });
        if (value.id !== undefined) this.cursor = value.id;
        if (ENDS.has(type)) return true;
        if (type === 'gap') {
          this.cursor = undefined;
          return false;
        }
      }
    } finally {
      clearTimeout(silence);
      this.controller.signal.removeEventListener('abort', stop);
      document.removeEventListener('visibilitychange', stopHidden);
      attempt.abort();
    }
  }

  private async visible(): Promise<void> {
    if (document.visibilityState === 'visible') return;
    this.state.value = 'paused';
    await new Promise<void>((resolve) => {
      const shown = (): void => {
        document.removeEventListener('visibilitychange', shown);
        resolve();
      };
      document.addEventListener('visibilitychange', shown);
      this.controller.signal.addEventListener('abort', shown);
    });
    this.failures = 0;
  }

  /** Longer after each failure, by chance so that tabs do not come back at once; over when the network is back. */
  private async pause(leastMs: number): Promise<void> {
    const most = Math.min(PAUSE_MS.least * 2 ** this.failures, PAUSE_MS.most);
    await new Promise<void>((resolve) => {
      const wait = Math.max(leastMs, most * (0.5 + Math.random() / 2));
      const timer = setTimeout(end, wait);
      function end(): void {
        clearTimeout(timer);
        window.removeEventListener('online', end);
        resolve();
      }
      window.addEventListener('online', end);
      this.controller.signal.addEventListener('abort', end);
    });
  }
}

/** The last frames of a stream. */
const ENDS = new Set(['completed', 'error']);

/** Refused for good: repeats help against outages and limits alone. */
function isFinal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    error.status !== 408 &&
    error.status !== 429
  );
}
