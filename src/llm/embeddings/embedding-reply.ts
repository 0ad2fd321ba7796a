import type { Dispatcher } from 'undici';
import { isObject } from '../../platform/message/call-arguments';
import type { TurnTimeout } from '../turns/turn-timeout';
import { jsonObject } from '../upstream/endpoint-reply';
import { isWrongUrl } from '../upstream/upstream-cause';
import { frameError, UpstreamError } from '../upstream/upstream-error';

/** So much is read before any of it is passed on: no error is longer, and parsing it takes few milliseconds. */
const BEGINNING_BYTES = 256 * 1024;
/** 2,048 vectors of 5,000 numbers as text. */
const MAX_BYTES = 256 * 1024 * 1024;
/** At both ends of a reply: the usage stands before or behind the vectors. */
const END_BYTES = 4 * 1024;
const USAGE = /"usage"\s*:\s*(\{(?:[^{}]|\{[^{}]*\})*\})/;

/** A reply of status 200 whose vectors are passed on unread. */
export class EmbeddingReply {
  private beginning: Buffer = Buffer.alloc(0);
  private isWhole = false;
  /** Of a reply that is not longer than its beginning. */
  private parsed?: Record<string, unknown>;
  /** Of what was passed on last. */
  private end = '';
  private readonly rest: AsyncIterator<Buffer, unknown>;

  private constructor(private readonly reply: Dispatcher.ResponseData) {
    // It may break off before it is read on.
    reply.body.on('error', () => undefined);
    const chunks: AsyncIterable<Buffer> = reply.body;
    this.rest = chunks[Symbol.asyncIterator]();
  }

  /** @throws UpstreamError if it is an error, a page or no JSON as far as it was read, or the reason of the signal. */
  static async begin(
    reply: Dispatcher.ResponseData,
    signal: AbortSignal,
  ): Promise<EmbeddingReply> {
    const begun = new EmbeddingReply(reply);
    try {
      await begun.readBeginning(signal);
      begun.check();
      return begun;
    } catch (error) {
      begun.close();
      throw error;
    }
  }

  get headers(): Dispatcher.ResponseData['headers'] {
    return this.reply.headers;
  }

  /** All of it; undefined if there is more than the beginning. */
  get whole(): Buffer | undefined {
    return this.isWhole ? this.beginning : undefined;
  }

  /** What it says of itself, as far as it has come. */
  get usage(): Record<string, unknown> | undefined {
    const { parsed } = this;
    if (!parsed) return usageIn(this.end) ?? usageIn(this.start);
    return isObject(parsed.usage) ? parsed.usage : undefined;
  }

  /** All of it, as it comes. @throws UpstreamError if it breaks off or never ends, or the reason of the time limit. */
  async *passOn(timeout: TurnTimeout): AsyncGenerator<Buffer> {
    let length = this.beginning.length;
    yield this.beginning;
    for (;;) {
      timeout.heard();
      const chunk = await this.next(timeout.signal);
      if (!chunk) return;
      length += chunk.length;
      if (length > MAX_BYTES)
        throw broken(new Error(`The body is longer than ${MAX_BYTES} bytes`));
      this.end = (this.end + lastOf(chunk)).slice(-END_BYTES);
      yield chunk;
    }
  }

  /** Closes the connection, unless the reply has ended. */
  close(): void {
    this.reply.body.destroy();
  }

  private async readBeginning(signal: AbortSignal): Promise<void> {
    const chunks: Buffer[] = [];
    let length = 0;
    while (length <= BEGINNING_BYTES) {
      const chunk = await this.next(signal);
      this.isWhole = !chunk;
      if (!chunk) break;
      chunks.push(chunk);
      length += chunk.length;
    }
    this.beginning = Buffer.concat(chunks);
  }

  private check(): void {
    const { statusCode: status, headers } = this.reply;
    if (isWrongUrl(status, headers, this.start))
      throw new UpstreamError('upstream_wrong_url', 'none', { status });
    if (this.isWhole) this.parsed = jsonObject(this.beginning.toString());
    const { isWhole, parsed } = this;
    const isReply = isWhole
      ? Array.isArray(parsed?.data)
      : /^\s*\{/.test(this.start);
    if (isReply) return;
    throw (
      (parsed && frameError(parsed)) ??
      new UpstreamError('upstream_error', 'unknown', { status })
    );
  }

  private get start(): string {
    return this.beginning.toString('utf8', 0, END_BYTES);
  }

  private async next(signal: AbortSignal): Promise<Buffer | undefined> {
    try {
      const { done, value } = await this.rest.next();
      return done ? undefined : value;
    } catch (error) {
      signal.throwIfAborted();
      throw broken(error);
    }
  }
}

function lastOf(chunk: Buffer): string {
  return chunk.toString('latin1', Math.max(0, chunk.length - END_BYTES));
}

function usageIn(text: string): Record<string, unknown> | undefined {
  const [, json] = USAGE.exec(text) ?? [];
  return json === undefined ? undefined : jsonObject(json);
}

function broken(cause: unknown): UpstreamError {
  return new UpstreamError('upstream_error', 'unknown', {}, cause);
}
