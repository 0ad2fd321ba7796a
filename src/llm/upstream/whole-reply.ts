import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { decode, MAX_ERROR_BYTES, MAX_ERROR_MS } from './upstream-body';
import { connectionError, UpstreamError } from './upstream-error';

/** A reply that was read to its end; of one that is not a success, the beginning. */
export interface WholeReply {
  statusCode: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const NOT_NEEDED = new Error('The rest of the reply is not needed');

/**
 * Sends a request and reads the reply, without the stream of undici's own `request()`: it takes a tenth of a chat's CPU time.
 * @throws UpstreamError if there is no reply or a success is longer than `maxBytes`, or the signal's reason.
 */
export function requestWhole(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
  maxBytes: number,
): Promise<WholeReply> {
  return new Promise((resolve, reject) => {
    const reader = new ReplyReader(signal, maxBytes, resolve, reject);
    try {
      dispatcher.dispatch(options, reader);
    } catch (error) {
      reader.fail(error);
    }
  });
}

class ReplyReader implements Dispatcher.DispatchHandler {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private maxBytes: number;
  private head?: Omit<WholeReply, 'text'>;
  private controller?: Dispatcher.DispatchController;
  private timer?: NodeJS.Timeout;
  private isDone = false;

  constructor(
    private readonly signal: AbortSignal,
    maxBytes: number,
    private readonly resolve: (reply: WholeReply) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.maxBytes = maxBytes;
    signal.addEventListener('abort', this.abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Given up while it waited for a connection.
    if (this.isDone) this.close();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Early hints and the like precede the reply.
    if (statusCode < 200) return;
    this.head = { statusCode, headers };
    if (statusCode < 300) return;
    this.maxBytes = MAX_ERROR_BYTES;
    this.timer = setTimeout(() => {
      this.end();
      this.close();
    }, MAX_ERROR_MS);
  }

  onResponseData(
    _controller: Dispatcher.DispatchController,
    chunk: Buffer,
  ): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes <= this.maxBytes) return;
    if (this.isSuccess) this.failTooLong();
    else this.end();
    this.close();
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(
    _controller: Dispatcher.DispatchController,
    error: Error,
  ): void {
    // What an error reply had sent before its connection broke is still worth reading.
    if (this.head && !this.isSuccess) this.end();
    else this.fail(error);
  }

  fail(error: unknown): void {
    if (!this.settle()) return;
    this.reject(
      this.head
        ? new UpstreamError('upstream_error', 'unknown', {}, error)
        : connectionError(error),
    );
  }

  private failTooLong(): void {
    const cause = new Error(`The body is longer than ${this.maxBytes} bytes`);
    const fault = { status: this.head!.statusCode };
    if (this.settle())
      this.reject(new UpstreamError('upstream_error', 'unknown', fault, cause));
  }

  private get isSuccess(): boolean {
    return this.head !== undefined && this.head.statusCode < 300;
  }

  private readonly abort = (): void => {
    if (this.settle()) this.reject(this.signal.reason);
    this.close();
  };

  private end(): void {
    const { head, chunks, maxBytes } = this;
    if (!head) return this.fail(new Error('There was no reply'));
    if (!this.settle()) return;
    const text = decode(chunks);
    this.resolve({ ...head, text: text.slice(0, maxBytes) });
  }

  /** Returns false if the outcome is known already. */
  private settle(): boolean {
    if (this.isDone) return false;
    this.isDone = true;
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.abort);
    return true;
  }

  /** Closes the connection, unless the reply has ended. */
  private close(): void {
    this.controller?.abort(NOT_NEEDED);
  }
}
