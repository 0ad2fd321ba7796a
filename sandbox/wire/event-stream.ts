import type { Fault } from '../control/fault';
import type { FaultBook } from '../control/fault-book';
import type { Exchange } from './http';
import type { Dialect } from './dialect';

const STRANGE_EVENT = {
  type: 'response.sandbox_novelty.delta',
  novelty: { depth: 1 },
};

/**
 * The frames of one SSE response, with its faults. Frames written during a silence are buffered and follow afterwards.
 * `finish` ends the response once everything is sent.
 */
export class EventStream {
  private readonly closed = new AbortController();
  private readonly waiting: object[] = [];
  private frames = '';
  private sent = 0;
  private silent = false;
  private finishing = false;

  constructor(
    private readonly x: Exchange,
    private readonly dialect: Dialect,
    private readonly sendsDone: boolean,
    private readonly stream: { faults: Fault[]; book: FaultBook },
  ) {
    x.res.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
    x.res.flushHeaders();
    x.res.on('close', () => this.closed.abort());
  }

  get isClosed(): boolean {
    return this.closed.signal.aborted;
  }

  onClose(listener: () => void): void {
    if (this.isClosed) return listener();
    this.closed.signal.addEventListener('abort', listener);
  }

  send(payloads: object[]): void {
    if (this.isClosed || this.finishing) return;
    this.waiting.push(...payloads);
    this.flush();
  }

  finish(): void {
    this.finishing = true;
    this.flush();
  }

  private flush(): void {
    while (!this.silent && !this.isClosed) {
      if (this.struck()) return;
      const payload = this.waiting.shift();
      if (!payload) break;
      this.write(payload);
    }
    this.drain();
    if (this.finishing && !this.silent && !this.isClosed) this.end(true);
  }

  /** True if a fault has stopped the stream at this number of events. */
  private struck(): boolean {
    const fault = this.stream.faults.find((f) => this.isDue(f));
    if (!fault) return false;
    if (fault.kind === 'cut') return this.cut();
    this.drain();
    switch (fault.kind) {
      case 'end':
        this.end(false);
        return true;
      case 'garbage':
        this.drop(fault);
        this.x.res.write('data: {"type":"response.output_text.delta","del\n\n');
        if (fault.cut === false) return false;
        this.end(false);
        return true;
      case 'gap':
        this.drop(fault);
        this.waiting.shift();
        return false;
      case 'silence':
        this.drop(fault);
        this.silent = true;
        void this.stream.book
          .hold(fault.ms, this.closed.signal)
          .then(() => this.resume());
        return true;
      default:
        return false;
    }
  }

  /** Waits until earlier frames are sent: destroying the connection at once would lose them. */
  private cut(): true {
    const { res } = this.x;
    if (this.frames === '') res.destroy();
    else res.write(this.frames, () => res.destroy());
    this.frames = '';
    this.closed.abort();
    return true;
  }

  private isDue({ kind, after_events }: Fault): boolean {
    if (after_events === undefined) return false;
    return kind === 'gap'
      ? this.sent >= after_events && isDelta(this.waiting[0])
      : this.sent === after_events;
  }

  private drop(fault: Fault): void {
    this.stream.faults = this.stream.faults.filter((f) => f !== fault);
  }

  private resume(): void {
    this.silent = false;
    this.flush();
  }

  private write(payload: object): void {
    const faults = this.stream.faults;
    const strange = faults.some((f) => f.kind === 'unknown_events');
    if (strange && this.sent > 0) this.frame(STRANGE_EVENT);
    const shown = strange
      ? { ...payload, sandbox_unknown_field: { of: ['any', 'shape'] } }
      : payload;
    this.frame(shown);
    if (faults.some((f) => f.kind === 'duplicate_events')) this.frame(shown);
    this.sent++;
  }

  private frame(payload: object): void {
    if (this.dialect === 'litellm') {
      const { sequence_number: _, ...rest } = payload as Record<
        string,
        unknown
      >;
      this.frames += `data: ${JSON.stringify(rest)}\n\n`;
      return;
    }
    const event = 'type' in payload ? `event: ${String(payload.type)}\n` : '';
    this.frames += `${event}data: ${JSON.stringify(payload)}\n\n`;
  }

  /**
   * Frames that are due together are sent in one write: a thousand streams would otherwise cause a hundred thousand
   * writes.
   */
  private drain(): void {
    if (this.frames !== '' && !this.isClosed) this.x.res.write(this.frames);
    this.frames = '';
  }

  private end(properly: boolean): void {
    if (properly && (this.sendsDone || this.dialect === 'litellm'))
      this.x.res.write('data: [DONE]\n\n');
    this.x.res.end();
    this.closed.abort();
  }
}

const isDelta = (payload: object | undefined) =>
  payload !== undefined &&
  'type' in payload &&
  String(payload.type).endsWith('.delta');
